import Synchronization
import TestSupport
import Testing

/// A server that rewrites what it is given, as Exchange does: the fields are sorted, two are added, and the parts get another
/// boundary.
@Suite struct RewritingServerTests {
  private let server: ProviderServer
  private let program: ProgramUnderTest
  private let state: String

  init() throws {
    server = try ProviderServer(.microsoft)
    program = try ProgramUnderTest()
    try program.configure(at: server.clearURL)
    state = program.home["Mail/test/.magnum"]
    let number = Atomic(0)
    server.changeUploads { Self.rewritten($0, number.add(1, ordering: .relaxed).newValue) }
    server.deliver(mail("there"))
    server.deliver(mail("old"), to: "Drafts", flags: ["\\Draft"])
    try sync()
  }

  private static let old = "=_b"

  private static func rewritten(_ message: [UInt8], _ number: Int) -> [UInt8] {
    let text = String(decoding: message, as: UTF8.self)
      .replacing(old, with: "_000_AM0P\(number)_")
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let added = ["X-MS-Exchange-Id: \(number)", "Thread-Index: AQ\(number)"]
    let fields = parts[0].split(separator: "\r\n").map { "\($0)" } + added
    return Array((fields.sorted().joined(separator: "\r\n") + "\r\n\r\n" + parts[1]).utf8)
  }

  private static func parted(_ subject: String) -> [UInt8] {
    let lines = [
      "From: a@example.org", "To: b@example.org", "Subject: \(subject)",
      "Message-ID: <\(subject)@r>", "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=\"\(old)\"", "", "--\(old)",
      "Content-Type: text/plain", "", "Text of \(subject).", "--\(old)",
      "Content-Type: text/html", "", "<p>Text", "--\(old)--", "",
    ]
    return Array(lines.joined(separator: "\r\n").utf8)
  }

  private func sync(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try program.run()
    #expect(outcome.code == 0, "\(outcome)", sourceLocation: sourceLocation)
  }

  /// What is uploaded: in INBOX and Drafts, a text and one with parts each.
  private func upload() throws {
    let inbox = LocalFolder(program.home["Mail/test"], "INBOX")
    let drafts = LocalFolder(program.home["Mail/test"], "Drafts")
    try inbox.add("1.letter", mail("letter"), flags: "S")
    try inbox.add("2.parts", Self.parted("parts"), flags: "S")
    try drafts.add("3.draft", mail("draft"), flags: "DS")
    try drafts.add("4.parted", Self.parted("parted"), flags: "DS")
    for _ in 0..<3 { try sync() }
    #expect(appended == 4)
  }

  private var appended: Int { server.requests.count { $0.contains("APPEND") } }

  private func expectNothingDoubled(sourceLocation: SourceLocation = #_sourceLocation) throws {
    for _ in 0..<3 { try sync(sourceLocation: sourceLocation) }
    #expect(server.subjects() == ["letter", "parts", "there"], sourceLocation: sourceLocation)
    #expect(
      server.subjects("Drafts") == ["draft", "old", "parted"],
      sourceLocation: sourceLocation
    )
    let tree = MaildirTree(program.home["Mail/test"])
    #expect(tree["INBOX"].count == 3, sourceLocation: sourceLocation)
    #expect(tree["Drafts"].count == 3, sourceLocation: sourceLocation)
    #expect(appended == 4, sourceLocation: sourceLocation)
  }

  @Test func whatWasUploadedIsKnownThoughTheRecordsAreLost() throws {
    try upload()
    _ = try Command.shell("rm -rf \"$1/mailboxes\" \"$1/summary\"", [state])
    try expectNothingDoubled()
  }

  @Test func whatWasUploadedIsKnownUnderAnotherUIDVALIDITY() throws {
    try upload()
    for mailbox in ["INBOX", "Drafts"] { server.renumber(mailbox) }
    try expectNothingDoubled()
    for mailbox in ["INBOX", "Drafts"] { server.renumber(mailbox) }
    try expectNothingDoubled()
  }

  /// The one on the server is the version that both sides agreed on; the file is a newer one, and takes its place.
  @Test func aDraftThatWasWrittenAnewUnderAnotherUIDVALIDITY() throws {
    try upload()
    server.renumber("Drafts")
    let file = try #require(Self.file(3, in: program.home["Mail/test/Drafts"]))
    let text = String(decoding: mail("draft"), as: UTF8.self) + "More of it.\r\n"
    try Files.write(Array(text.utf8), to: file, mode: 0o600)
    for _ in 0..<3 { try sync() }
    #expect(server.subjects("Drafts") == ["draft", "old", "parted"])
    #expect(MaildirTree(program.home["Mail/test"])["Drafts"].count == 3)
    #expect(appended == 5)
  }

  private static func file(_ number: Int, in folder: String) -> String? {
    for part in ["cur", "new"] {
      for name in Files.names(in: "\(folder)/\(part)") {
        let name = String(decoding: name, as: UTF8.self)
        if name.hasPrefix("\(number).") { return "\(folder)/\(part)/\(name)" }
      }
    }
    return nil
  }
}
