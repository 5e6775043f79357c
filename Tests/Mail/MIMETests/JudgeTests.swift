import MIME
import Octets
import TestSupport
import Testing

/// What is written here is read alike by other programs: Python's email, mutt, neomutt, notmuch and Dovecot.
struct JudgeTests {
  private static func withLineFeeds(_ octets: [UInt8]) -> [UInt8] {
    octets.replacing([13, 10], with: [10])
  }

  private static func hexadecimal(_ octets: [UInt8]) -> String {
    String(decoding: Hex.encode(octets), as: UTF8.self)
  }

  @Test(arguments: JudgedMessage.all)
  func python(_ message: JudgedMessage) throws {
    var command = Command("python3", [Fixtures.path("Fixtures/read-mail.py")])
    command.input = message.octets
    let outcome = try command.run()
    try #require(outcome.code == 0, "\(outcome)")
    let read = try ParsedJSON(outcome.output)
    #expect(read["defects"] == .array([]))
    #expect(read["subject"]?.text == message.subject)
    for (number, name) in message.names.enumerated() {
      #expect(read["to"]?[number]?[0]?.text == name)
      #expect(read["to"]?[number]?[1]?.text == "a\(number)@x.test")
    }
    #expect(
      read["text"]?.text.map { Self.withLineFeeds(Array($0.utf8)) } == Array(message.text.utf8)
    )
    for (number, file) in message.files.enumerated() {
      #expect(read["files"]?[number]?[0]?.text == file.name)
      #expect(read["files"]?[number]?[1]?.text == Self.hexadecimal(file.octets))
    }
    #expect(read["files"]?[message.files.count] == nil)
  }

  @Test(arguments: JudgedMessage.all)
  func notmuch(_ message: JudgedMessage) throws {
    let home = try TempDirectory("notmuch")
    for sub in ["new", "tmp"] { try Files.makeDirectories(home["mail/\(sub)"]) }
    try home.write(message.octets, to: "mail/cur/1:2,S")
    try home.write("[database]\npath=\(home["mail"])\n[user]\nname=x\n", to: "config")
    var environment = Command.ownEnvironment
    environment["NOTMUCH_CONFIG"] = home["config"]
    environment["HOME"] = home.path
    func run(_ words: String...) throws -> Outcome {
      let outcome = try Command("notmuch", words, environment: environment).run()
      try #require(outcome.code == 0, "\(words): \(outcome)")
      return outcome
    }
    _ = try run("new", "--quiet")
    let shown = try ParsedJSON(try run("show", "--format=json", "id:judged@x.test").output)
    let read = try #require(shown[0]?[0]?[0])
    #expect(read["headers"]?["Subject"]?.text == message.subject)
    var parts = read["body"]?[0]
    if !message.files.isEmpty { parts = parts?["content"]?[0] }
    #expect(parts?["content"]?.text == message.text)
    for (number, file) in message.files.enumerated() {
      let part = try #require(read["body"]?[0]?["content"]?[number + 1])
      // Of a message it tells no name.
      guard file.type != "message/rfc822" else { continue }
      #expect(part["filename"]?.text == file.name)
      let id = try #require(part["id"]?.integer)
      let raw = try run("show", "--part=\(id)", "--format=raw", "id:judged@x.test").outputOctets
      #expect(raw == file.octets)
    }
  }

  @Test(arguments: ["mutt", "neomutt"], JudgedMessage.all)
  func mutt(_ program: String, _ message: JudgedMessage) throws {
    let home = try TempDirectory(program)
    for sub in ["new", "tmp", "cur"] { try Files.makeDirectories(home["mail/\(sub)"]) }
    try home.write(message.octets, to: "mail/cur/1:2,S")
    try home.write(
      """
      set folder="\(home.path)" mbox_type=Maildir sleep_time=0 wait_key=no quit=yes
      set pipe_decode=yes charset=utf-8 resolve=no
      ignore *
      unignore subject to

      """,
      to: "muttrc"
    )
    var keys = "<pipe-message>cat<space>>\(home["decoded"])<enter>"
    if !message.files.isEmpty { keys += "<view-attachments>" }
    for (number, file) in message.files.enumerated() where file.type != "message/rfc822" {
      keys += "<next-entry><save-entry><kill-line>\(home["part-\(number)"])<enter>"
    }
    if !message.files.isEmpty { keys += "<exit>" }
    let words = ["-n", "-F", home["muttrc"], "-f", home["mail"], "-e", "push '\(keys)<quit>'"]
    var command = Command(program, words)
    command.environment["TERM"] = "xterm"
    command.environment["LC_ALL"] = "C.UTF-8"
    command.environment["HOME"] = home.path
    command.isOnTerminal = true
    command.timeLimit = 10
    let outcome = try command.run()
    try #require(outcome.code == 0, "\(outcome)")
    let decoded = try #require(Files.text(home["decoded"]))
    let halves = decoded.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
    let header = halves[0].split(separator: "\n").joined()
    #expect(header.contains("Subject: \(message.subject)"))
    if message.files.isEmpty, message.text.utf8.count < 900 {
      #expect(halves.count == 2 && halves[1] == message.text)
    }
    for (number, file) in message.files.enumerated() where file.type != "message/rfc822" {
      let saved = Files.read(home["part-\(number)"])
      let isText = file.type.hasPrefix("text/")
      #expect(
        saved.map { isText ? Self.withLineFeeds($0) : $0 }
          == (isText ? Self.withLineFeeds(file.octets) : file.octets),
        "\(file.name)"
      )
    }
  }

  @Test(arguments: JudgedMessage.all)
  func dovecot(_ message: JudgedMessage) throws {
    let server = try RawIMAP(try Dovecot.shared(), user: Dovecot.freshUser("judged"))
    let wire = message.octets.replacing([10], with: [13, 10])
    try server.append(wire)
    try server.select()
    let structure = try #require(
      server.command("FETCH 1 (BODYSTRUCTURE)").map { String(decoding: $0, as: UTF8.self) }
        .first { $0.contains("BODYSTRUCTURE") }
    )
    #expect(structure.components(of: "\"attachment\"") == message.files.count)
    for (number, file) in message.files.enumerated() where file.type != "message/rfc822" {
      let answer = try server.command("FETCH 1 (BINARY.PEEK[\(number + 2)])")
      let octets = answer.flatMap { $0 }
      let expected = file.octets.isEmpty ? [] : file.octets
      let isWithin =
        Self.contains(octets, expected)
        || Self.contains(octets, expected.replacing([10], with: [13, 10]))
      #expect(isWithin, "\(file.name)")
    }
  }

  private static func contains(_ octets: [UInt8], _ part: [UInt8]) -> Bool {
    part.isEmpty || octets.indices.contains { octets[$0...].starts(with: part) }
  }
}

extension String {
  fileprivate func components(of word: String) -> Int {
    let octets = Array(utf8)
    let wanted = Array(word.utf8)
    return octets.indices.count { octets[$0...].starts(with: wanted) }
  }
}
