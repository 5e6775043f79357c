import Octets
import TestSupport
import Testing

/// The servers beside Dovecot; each test runs on each of them that there is.
enum OtherServer: String, CaseIterable, CustomTestStringConvertible {
  case cyrus, courier
  case cyrusBelowInbox = "cyrus-inbox"

  var testDescription: String { rawValue }

  static var there: [OtherServer] { [.cyrus, .courier].filter(\.canRun) }

  /// Those that keep all mailboxes below INBOX.
  static var belowInbox: [OtherServer] { [.courier, .cyrusBelowInbox].filter(\.canRun) }

  var canRun: Bool {
    switch self {
    case .cyrus, .cyrusBelowInbox: Cyrus.canRun
    case .courier: Courier.canRun
    }
  }

  func shared() throws -> HostedServer {
    switch self {
    case .cyrus: try Cyrus.shared()
    case .courier: try Courier.shared()
    case .cyrusBelowInbox: try Cyrus.belowInbox()
    }
  }
}

/// A user on Cyrus or Courier, a home, and the program.
final class OtherStage: ServedStage {
  let server: HostedServer
  let program: ProgramUnderTest
  let imap: RawIMAP
  let user: String

  var maildir: String { program.home["Mail/test"] }
  var clearPort: UInt16 { server.ports.clear }

  init(_ kind: OtherServer, sync: String = "") throws {
    server = try kind.shared()
    user = Dovecot.freshUser()
    program = try ProgramUnderTest()
    imap = try RawIMAP(port: server.ports.clear, user: user)
    imap.waitsForLiterals = true
    try configure(sync: sync)
  }

  /// Writes the configuration anew, with these lines of the sync section.
  func configure(sync: String = "") throws {
    try program.configure(
      """
      [account.test]
      maildir = "~/Mail/test"
      imap = "\(server.tlsURL)"
      user = "\(user)"
      password = "pass"
      tls-ca-file = "\(server.trustFile)"
      index = false

      [account.test.sync]
      \(sync)

      """
    )
  }

  func local(_ mailbox: String) -> LocalFolder {
    LocalFolder(maildir, server.directory(server.wire(mailbox)))
  }

  @discardableResult
  func append(_ octets: [UInt8], to mailbox: String = "INBOX", flags: String = "") throws -> UInt32
  {
    try imap.append(octets, to: server.wire(mailbox), flags: flags)
  }

  @discardableResult
  func sync(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Outcome
  {
    let outcome = try program.command(["-v"] + arguments).run()
    #expect(outcome.code == 0, "\(outcome)", sourceLocation: sourceLocation)
    return outcome
  }

  /// Two runs, after which both sides are the same, and a third that changes nothing on either.
  func expectSettled(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let last = [try sync(sourceLocation: sourceLocation), try sync(sourceLocation: sourceLocation)]
    let there = try imap.everything()
    let tree = MaildirTree(maildir)
    let differences = tree.differences(from: there) { server.directory($0) }
    #expect(differences == [], "\(last.map(\.output))", sourceLocation: sourceLocation)
    let before = TreeSnapshot(maildir)
    try sync(sourceLocation: sourceLocation)
    let changed = TreeSnapshot(maildir).differences(from: before).filter {
      !$0.contains("/.magnum")
    }
    #expect(changed == [], sourceLocation: sourceLocation)
    #expect(try imap.everything() == there, sourceLocation: sourceLocation)
  }

  func subjects(_ mailbox: String) throws -> [String] {
    try imap.messages(in: server.wire(mailbox)).map { message in
      let lines = String(decoding: message.body, as: UTF8.self).split(separator: "\r\n")
      return String(lines.first { $0.hasPrefix("Subject: ") }?.dropFirst(9) ?? "")
    }.sorted()
  }
}

/// What Dovecot is tested with in many suites, in short, on servers that do things otherwise.
@Suite struct ThreeServerTests {
  private func stage(_ kind: OtherServer) throws -> OtherStage {
    let stage = try OtherStage(kind)
    for number in 0..<6 { try stage.append(mail("m\(number)"), flags: number < 3 ? "\\Seen" : "") }
    try stage.append(mail("kept"), to: "Archive", flags: "\\Seen Work")
    try stage.sync()
    return stage
  }

  @Test(arguments: OtherServer.there)
  func aFirstSyncAndNothingAfterIt(_ kind: OtherServer) throws {
    let stage = try stage(kind)
    try stage.expectSettled()
    #expect(MaildirTree(stage.maildir).count == 7)
    for _ in 0..<3 {
      let outcome = try stage.sync()
      #expect(outcome.output.contains("nothing new"), "\(outcome)")
    }
  }

  @Test(arguments: OtherServer.there)
  func flagsAndKeywordsBothWays(_ kind: OtherServer) throws {
    let stage = try stage(kind)
    try stage.local("INBOX").setFlags("FRS", of: "m0")
    try stage.local("INBOX").setFlags("PS", of: "m1")
    try stage.local("INBOX").setFlags("", of: "m2")
    try stage.imap.select()
    try stage.imap.store("4", "+FLAGS (\\Flagged Errand)")
    try stage.imap.store("5", "+FLAGS (\\Seen)")
    try stage.expectSettled()
    let flags = try stage.imap.messages().map(\.flags)
    #expect(MaildirTree.letters(flags[0]) == "FRS")
    #expect(MaildirTree.letters(flags[1]) == "PS")
    #expect(MaildirTree.letters(flags[2]) == "")
    #expect(flags[3].contains("Errand"))
  }

  @Test(arguments: OtherServer.there)
  func newFilesAndNewMessages(_ kind: OtherServer) throws {
    let stage = try stage(kind)
    for number in 0..<5 {
      try stage.local("Archive").add("new\(number)", mail("new \(number)"), flags: "S")
    }
    for number in 0..<3 { try stage.append(mail("arrived \(number)")) }
    try stage.expectSettled()
    #expect(try stage.subjects("Archive") == ["kept"] + (0..<5).map { "new \($0)" })
    #expect(try stage.subjects("INBOX").count == 9)
  }

  @Test(arguments: OtherServer.there)
  func movesBothWays(_ kind: OtherServer) throws {
    let stage = try stage(kind)
    let archive = stage.server.directory(stage.server.wire("Archive"))
    let inbox = stage.local("INBOX")
    try inbox.move(try inbox.index("m0"), to: archive)
    // As mutt does it: with a new name.
    try stage.local("Archive").add("again", try inbox.content(try inbox.index("m1")), flags: "S")
    try inbox.remove("m1")
    try stage.imap.select()
    try stage.imap.command("UID COPY 6 \(stage.server.wire("Archive"))")
    try stage.imap.expunge("6")
    try stage.expectSettled()
    #expect(try stage.subjects("INBOX") == ["m2", "m3", "m4"])
    #expect(try stage.subjects("Archive") == ["kept", "m0", "m1", "m5"])
    #expect(try stage.subjects("Trash") == [])
  }

  @Test(arguments: OtherServer.there)
  func deletionsBothWays(_ kind: OtherServer) throws {
    let stage = try stage(kind)
    try stage.local("INBOX").remove("m0")
    try stage.imap.select()
    try stage.imap.expunge("2")
    try stage.expectSettled()
    #expect(try stage.subjects("INBOX") == ["m2", "m3", "m4", "m5"])
    #expect(try stage.subjects("Trash") == ["m0"])
    try stage.local("Trash").remove("m0")
    try stage.expectSettled()
    #expect(try stage.subjects("Trash") == [])
  }

  @Test(arguments: OtherServer.there)
  func foldersBothWays(_ kind: OtherServer) throws {
    let stage = try stage(kind)
    try stage.imap.create(stage.server.wire("There"))
    try stage.append(mail("in there"), to: "There")
    try stage.local("Here").add("one", mail("in here"), flags: "S")
    try stage.expectSettled()
    #expect(try stage.subjects("Here") == ["in here"])
    let root = stage.maildir
    let names = ["Here", "Hereafter"].map {
      "\(root)/\(stage.server.directory(stage.server.wire($0)))"
    }
    try Command.shell("mv \"$1\" \"$2\"", names)
    try stage.expectSettled()
    #expect(try stage.subjects("Hereafter") == ["in here"])
    #expect(try !stage.imap.mailboxes().contains(stage.server.wire("Here")))
  }

  /// Both may give a renamed mailbox another UIDVALIDITY; the ids of Cyrus tell an empty one too.
  @Test(arguments: OtherServer.there)
  func renamesOnTheServer(_ kind: OtherServer) throws {
    let stage = try stage(kind)
    let wire = { (name: String) in stage.server.wire(name) }
    try stage.imap.create(wire("Old"))
    try stage.imap.create(wire("Empty"))
    for number in 0..<3 { try stage.append(mail("kept \(number)"), to: "Old") }
    try stage.expectSettled()
    try stage.imap.command("RENAME \(wire("Old")) \(wire("Renamed"))")
    if kind == .cyrus {
      try stage.imap.command("RENAME \(wire("Empty")) \(wire("Void"))")
      try stage.imap.create(wire("Empty"))
    }
    let outcome = try stage.sync()
    #expect(!outcome.output.contains("fetched"), "\(outcome)")
    try stage.expectSettled()
    #expect(try stage.subjects("Renamed") == (0..<3).map { "kept \($0)" })
    let tree = MaildirTree(stage.maildir)
    #expect(tree[OctetName(Array(stage.server.directory(wire("Renamed")).utf8))].count == 3)
  }

  /// Octets above 127 in a header, which both servers rewrite: no reason to send it again or to fetch it.
  @Test(arguments: OtherServer.there)
  func whatTheServerRewritesIsNotDoubled(_ kind: OtherServer) throws {
    let stage = try stage(kind)
    var odd = mail("odd")
    odd = Array("X-Name: J".utf8) + [0xFC] + Array("rgen\r\n".utf8) + odd
    try stage.local("Archive").add("odd", odd, flags: "S")
    var drafted = mail("drafted")
    drafted = Array("To: ".utf8) + [0xE9] + Array("@example.org\r\n".utf8) + drafted
    try stage.local("Drafts").add("drafted", drafted, flags: "DS")
    for _ in 0..<4 { try stage.sync() }
    let tree = MaildirTree(stage.maildir)
    let place = { OctetName(Array(stage.server.directory(stage.server.wire($0)).utf8)) }
    #expect(tree[place("Archive")].count == 2 && tree[place("Drafts")].count == 1)
    #expect(try stage.subjects("Archive") == ["kept", "odd"])
    #expect(try stage.subjects("Drafts") == ["drafted"])
    let outcome = try stage.sync()
    #expect(outcome.output.contains("nothing new"), "\(outcome)")
  }
}
