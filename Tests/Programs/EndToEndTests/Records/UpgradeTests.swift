import TestSupport
import Testing

/// A Maildir with the state of an earlier version, which knew messages by what servers add or drop as well: the line end behind
/// the last line, and CR alone.
///
/// `Fixtures/before` is in the format of commit 0c2ec1c5. An upload of its Archive was not answered for.
@Suite struct UpgradeTests {
  private let server: ProviderServer
  private let program: ProgramUnderTest
  private var maildir: String { program.home["Mail/test"] }

  init() throws {
    server = try ProviderServer(.complete)
    program = try ProgramUnderTest()
    try program.configure(at: server.clearURL)
    server.mailboxes.append(ProviderMailbox("Drafts", "\\Drafts"))
    let script = """
      mkdir -p "$2"; cp -R "$1/." "$2/"; find "$2" -name .keep -exec rm {} +
      find "$2" -type f -path '*/cur/*' -exec touch -d @837571465 {} +
      """
    _ = try Command.shell(script, [Fixtures.path("Fixtures/before"), maildir])
    for folder in ["INBOX", "Drafts", "Archive"] { try deliver(folder) }
  }

  /// Puts the messages of a folder on the server, in the order of their UIDs.
  private func deliver(_ folder: String) throws {
    let directory = "\(maildir)/\(folder)/cur"
    let names = Files.names(in: directory).map { String(decoding: $0, as: UTF8.self) }
    for name in names.sorted(by: { !$0.contains(".late") && ($1.contains(".late") || $0 < $1) }) {
      let octets = try #require(Files.read("\(directory)/\(name)"))
      let wire = octets.flatMap { $0 == 10 ? [13, 10] : [$0] }
      let letters = name.split(separator: ",").last ?? ""
      let flags = ["S": "\\Seen", "F": "\\Flagged", "D": "\\Draft"].filter {
        letters.contains($0.key)
      }
      server.deliver(wire, to: folder, flags: Set(flags.values))
    }
  }

  private func sync(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try program.command(["-v"]).run()
    #expect(outcome.code == 0, "\(outcome)", sourceLocation: sourceLocation)
  }

  private static let changes = ["APPEND", "UID MOVE", "UID COPY", "UID STORE", "UID EXPUNGE"]

  /// Runs, and expects neither side to change.
  private func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let before = TreeSnapshot(maildir)
    for _ in 0..<2 { try sync(sourceLocation: sourceLocation) }
    let changed = TreeSnapshot(maildir).differences(from: before).filter { !$0.contains(".magnum") }
    #expect(changed == [], sourceLocation: sourceLocation)
    let sent = server.requests.filter { request in
      Self.changes.contains { request.contains($0) }
    }
    #expect(sent == [], sourceLocation: sourceLocation)
  }

  @Test func nothingIsPlanned() throws {
    try expectNothing()
    var verify = program.command(["verify", "--deep"])
    verify.program = "\(ProgramUnderTest.products)/magnum"
    let verified = try verify.run()
    #expect(verified.code == 0, "\(verified)")
  }

  @Test func nothingIsPlannedUnderOtherUIDVALIDITYs() throws {
    for mailbox in ["INBOX", "Drafts", "Archive"] { server.renumber(mailbox) }
    try expectNothing()
  }

  /// Its UIDVALIDITY is another one, so that the version on record is found by its content.
  @Test func aDraftThatWasWrittenAnewTakesThePlaceOfItsMessage() throws {
    server.renumber("Drafts")
    let drafts = LocalFolder(maildir, "Drafts")
    let text = "From: a@example.org\nSubject: draft\nMessage-ID: <draft@example.org>\n\nLonger.\n"
    try drafts.write(0, Array(text.utf8))
    for _ in 0..<3 { try sync() }
    #expect(server.subjects("Drafts") == ["draft"])
    #expect(server.requests.count { $0.contains("APPEND") } == 1)
    #expect(MaildirTree(maildir)["Drafts"].count == 1)
  }

  @Test(arguments: ["open", "bare", "both", "tuid"])
  func whatTheServerMovedIsFollowed(_ subject: String) throws {
    let line = Array("Subject: \(subject)".utf8)
    let file = try #require(
      MaildirTree(maildir)["INBOX"].first { $0.body.firstRange(of: line) != nil }
    )
    server.move(subject, to: "Archive")
    for _ in 0..<2 { try sync() }
    // A message that was fetched anew has another name.
    #expect(MaildirTree(maildir)["Archive"].contains { $0.name == file.name })
    #expect(MaildirTree(maildir)["INBOX"].count == 4)
    #expect(!server.requests.contains { $0.contains("APPEND") })
  }

  @Test(arguments: ["open", "bare", "both", "tuid"])
  func whatIsMovedHereMoves(_ subject: String) throws {
    let inbox = LocalFolder(maildir, "INBOX")
    _ = try inbox.move(subject, to: "Archive", flags: "S")
    for _ in 0..<2 { try sync() }
    #expect(server.subjects("Archive") == ["filed", "late", subject].sorted())
    #expect(!server.requests.contains { $0.contains("APPEND") })
    #expect(MaildirTree(maildir)["Archive"].count == 3)
  }
}
