import Octets
import TestSupport
import Testing

/// A server that lies in one run: afterwards, with the truth again, nothing is lost and nothing doubled on either side.
@Suite struct LyingServerTests {
  typealias Action = ScriptedServer.Action

  /// A lie: what becomes of the lines of an answer.
  struct Lie: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bend: ProviderServer.Bend

    /// A lie about the answers to these commands; `change` gets each line, and gives nil to leave it out.
    init(_ name: String, to commands: [String], _ change: @escaping @Sendable (String) -> String?) {
      testDescription = name
      bend = { request, actions in
        guard commands.contains(request.name) else { return actions }
        return actions.map { action in
          guard case .send(let text) = action else { return action }
          let lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)
          return .send(lines.compactMap { change(String($0)) }.map { "\($0)\r\n" }.joined())
        }
      }
    }
  }

  private static let openings = ["SELECT", "EXAMINE"]

  /// A number behind a word becomes another one.
  private static func number(_ word: String, is value: String) -> @Sendable (String) -> String? {
    { line in
      guard let range = line.firstRange(of: "\(word) ") else { return line }
      let rest = line[range.upperBound...].drop { $0.isNumber }
      return "\(line[..<range.upperBound])\(value)\(rest)"
    }
  }

  /// A code in brackets is left out.
  private static func without(_ code: String) -> @Sendable (String) -> String? {
    { line in
      guard let open = line.firstRange(of: "[\(code)"),
        let close = line[open.lowerBound...].firstRange(of: "] ")
      else { return line }
      return String(line[..<open.lowerBound] + line[close.upperBound...])
    }
  }

  private static let answersNo: @Sendable (String) -> String? = { line in
    guard let range = line.firstRange(of: " OK ") else { return line }
    return line.hasPrefix("* ") ? nil : "\(line[..<range.lowerBound]) NO it did not work"
  }

  static let lies = [
    Lie("no APPENDUID", to: ["APPEND"], without("APPENDUID")),
    Lie("APPENDUID of a message that was there", to: ["APPEND"]) {
      $0.replacing("[APPENDUID 1 2]", with: "[APPENDUID 1 1]")
    },
    Lie("APPENDUID of another UIDVALIDITY", to: ["APPEND"], number("APPENDUID", is: "77")),
    Lie("an APPEND that was done is refused", to: ["APPEND"], answersNo),
    Lie("no COPYUID", to: ["UID MOVE", "UID COPY"], without("COPYUID")),
    Lie(
      "COPYUID of another UIDVALIDITY",
      to: ["UID MOVE", "UID COPY"],
      number("COPYUID", is: "77")
    ),
    Lie("a MOVE that was done is refused", to: ["UID MOVE"], answersNo),
    Lie("a COPY that was done is refused", to: ["UID COPY"], answersNo),
    Lie("a STORE that was done is refused", to: ["UID STORE"], answersNo),
    Lie("an EXPUNGE that was done is refused", to: ["UID EXPUNGE", "EXPUNGE"], answersNo),
    Lie("no mailboxes", to: ["LIST"]) { $0.hasPrefix("* ") ? nil : $0 },
    Lie("a mailbox too few", to: ["LIST"]) { $0.contains("\"Archive\"") ? nil : $0 },
    Lie(
      "HIGHESTMODSEQ at its end",
      to: openings,
      number("HIGHESTMODSEQ", is: "9223372036854775807")
    ),
    Lie("HIGHESTMODSEQ at its beginning", to: openings, number("HIGHESTMODSEQ", is: "1")),
    Lie("UIDNEXT at its end", to: openings, number("UIDNEXT", is: "4294967295")),
    Lie("UIDNEXT at its beginning", to: openings, number("UIDNEXT", is: "1")),
    Lie("another UIDVALIDITY", to: openings + ["LIST", "STATUS"], number("UIDVALIDITY", is: "99")),
    Lie("another UIDVALIDITY in SELECT only", to: openings, number("UIDVALIDITY", is: "99")),
    Lie("no flags can be kept", to: openings) {
      $0.contains("PERMANENTFLAGS") ? "* OK [PERMANENTFLAGS ()] none" : $0
    },
    Lie("sizes that are not right", to: ["UID FETCH"], number("RFC822.SIZE", is: "7")),
    Lie("a message under another UID", to: ["UID FETCH"]) {
      $0.replacing("(UID 1 ", with: "(UID 900 ")
    },
    Lie("flags without UIDs", to: ["UID FETCH"]) {
      $0.contains("BODY") ? $0 : $0.replacing("(UID 1 ", with: "(")
    },
    Lie("messages that are said to be gone", to: openings) {
      $0.contains(" EXISTS") ? "* VANISHED (EARLIER) 1:2\r\n\($0)" : $0
    },
    Lie("too few messages", to: openings) { $0.contains(" EXISTS") ? "* 1 EXISTS" : $0 },
    Lie("too many messages", to: openings) { $0.contains(" EXISTS") ? "* 900 EXISTS" : $0 },
  ]

  static let servers = [Provider.complete, .gmailWithoutLabels, .plain]

  /// What comes early is asked for once more: one message that cannot be read so is no reason to leave the mailbox alone.
  @Test func octetsThatAreRefusedEarlyAreAskedForAgain() throws {
    let server = try ProviderServer(.complete)
    let program = try ProgramUnderTest()
    try program.configure(at: server.clearURL)
    server.deliver(mail("known"))
    for _ in 0..<2 { #expect(try program.run().code == 0) }
    server.bend { request, actions in
      request.text.contains("BODY.PEEK[]<0.") ? [.lines("{tag} NO [SERVERBUG] broken")] : actions
    }
    server.deliver(mail("new"))
    let outcome = try program.run("-v")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(server.requests.contains { $0.contains("BODY.PEEK[]<0.") })
    #expect(throws: Never.self) {
      try LocalFolder(program.home["Mail/test"], "INBOX").content("new")
    }
  }

  @Test(arguments: lies, Turn.part(of: servers))
  func isSurvived(_ lie: Lie, _ provider: Provider) throws {
    let server = try ProviderServer(provider)
    let program = try ProgramUnderTest()
    try program.configure(at: server.clearURL)
    for number in 0..<6 { server.deliver(mail("m\(number)"), flags: ["\\Seen"]) }
    server.deliver(mail("other"), to: "Archive", flags: ["\\Seen"])
    let first = try program.run("-v")
    #expect(first.code == 0, "\(first)")

    let root = program.home["Mail/test"]
    let files = LocalFolder(root, "INBOX")
    try files.move("m4", to: "Archive", flags: "S")
    try files.remove("m5")
    try files.setFlags("FS", of: "m0")
    try LocalFolder(root, "Archive").add("new", mail("from here"), flags: "S")
    server.deliver(mail("from there"))
    server.bend(lie.bend)
    let lied = try program.run("-v")
    #expect([0, 1, 69, 75].contains(lied.code), "\(lied)")
    server.bend(nil)

    let runs = try (0..<4).map { _ in try program.run("-v", "test") }
    let story = "\(([lied] + runs).map { "\($0.code) \($0.output)\($0.errors)" })"
    #expect(runs.last?.code == 0, "\(story)")
    // A flagged message that is said to be gone is uploaded again, and then there are two, as the server has them.
    let isThereTwice = server.subjects().count { $0 == "m0" } == 2
    #expect(
      !isThereTwice || "\(lied)".contains("deleted on the server, flagged here"),
      "\(story)"
    )
    // Where messages had to be matched anew, the deletion is undone, or what moved leaves a copy in Trash.
    let inbox = server.subjects().filter { $0 != "m5" }
    let trash = server.subjects("Trash").filter { $0 != "m4" }
    #expect(Set(inbox) == ["from there", "m0", "m1", "m2", "m3"], "\(story)")
    #expect(inbox.count == (isThereTwice ? 6 : 5), "\(story)")
    #expect(server.subjects("Archive") == ["from here", "m4", "other"], "\(story)")
    #expect((server.subjects() + trash).filter { $0 == "m5" } == ["m5"], "\(story)")
    #expect(trash.allSatisfy { $0 == "m5" }, "\(story)")
    #expect(
      server.mailboxes[0].messages.contains {
        $0.subject == "m0" && $0.flags == ["\\Flagged", "\\Seen"]
      },
      "\(story)"
    )
    for box in ["INBOX", "Archive", "Trash"] {
      #expect(subjects(root, box) == server.subjects(box), "\(box): \(story)")
    }
  }

  private func subjects(_ root: String, _ mailbox: String) -> [String] {
    MaildirTree(root)[OctetName(Array(mailbox.utf8))].map { file in
      let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\n")
      return String(lines.first { $0.hasPrefix("Subject: ") }?.dropFirst(9) ?? "")
    }.sorted()
  }
}

extension Provider {
  /// CONDSTORE without QRESYNC, as Gmail has it.
  fileprivate static let gmailWithoutLabels: Provider = {
    var provider = Provider.complete
    provider.name = "a server without QRESYNC"
    let words = provider.capabilities.after.split(separator: " ")
    provider.capabilities.after = words.filter { $0 != "QRESYNC" && $0 != "ENABLE" }
      .joined(separator: " ")
    return provider
  }()
}
