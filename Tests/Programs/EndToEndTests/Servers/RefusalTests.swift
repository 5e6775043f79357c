import Testing
import TestSupport

/// Where something does not fit together, nothing is changed and a person is asked.
@Suite struct RefusalTests {
  /// What the hints of the refusals advise leads out of them, and nothing old is left to stumble over.
  @Test(arguments: [[".map"], [".map", ".log"]])
  func aMailboxCanBeStartedOver(without endings: [String]) throws {
    let stage = try Stage()
    try stage.fill()
    try stage.syncWell()
    let mailboxes = "\(stage.state)/mailboxes"
    for name in Files.names(in: mailboxes).map({ String(decoding: $0, as: UTF8.self) })
    where endings.contains(where: name.hasSuffix) {
      Files.removeTree("\(mailboxes)/\(name)")
    }
    for folder in ["INBOX", "Archive", "Lists"] { Files.removeTree("\(stage.maildir)/\(folder)") }
    try stage.syncWell()
    try stage.expectMirrored()
    try stage.imap.append(mail("later"))
    try stage.syncWell()
    try stage.syncWell()
    try stage.expectMirrored()
  }

  /// A host that was never right is forgotten when it is corrected.
  @Test func aMistypedHostIsNotRemembered() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.configure(url: "imaps://nobody.invalid")
    #expect(try stage.sync().code == 75)
    try stage.configure()
    try stage.syncWell()
    try stage.expectMirrored()
  }

  /// The numbers of another user's messages mean other messages.
  @Test func anotherUsersMailIsNotMixedIn() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.syncWell()
    let before = TreeSnapshot(stage.maildir)
    let other = try Stage()
    try other.fill()
    let text = try #require(Files.text(stage.program.home[".config/magnum/config.toml"]))
    try stage.program.configure(
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.hasPrefix("user = ") ? "user = \"\(other.user)\"" : String($0) }
        .joined(separator: "\n")
    )
    let outcome = try stage.sync()
    #expect(outcome.code == 78, "\(outcome)")
    #expect(outcome.errors.contains("this folder belongs to \(stage.user) localhost"), "\(outcome)")
    #expect(TreeSnapshot(stage.maildir).differences(from: before) == [])
  }

  /// A Maildir of somebody else's is not taken for the mirror whose state went.
  @Test func lostStateBesideForeignMailIsRefused() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.syncWell()
    try Command.shell("mv \"$1\" \"$1.away\"", [stage.maildir])
    try LocalFolder(stage.maildir, "INBOX").add("1.2.host", mail("mine"), flags: "S")
    let before = TreeSnapshot(stage.maildir)
    let server = try stage.imap.everything()
    let outcome = try stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("hint: "), "\(outcome)")
    #expect(TreeSnapshot(stage.maildir).differences(from: before) == [])
    #expect(try stage.imap.everything() == server)
    try Command.shell("rm -rf \"$1\" && mv \"$1.away\" \"$1\"", [stage.maildir])
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func aTornRecordIsCutOff() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    try stage.imap.append((0..<3).map { mail("new \($0)") })
    try stage.syncWell()
    var torn = 0
    for octets in Files.names(in: "\(stage.state)/mailboxes") {
      let name = String(decoding: octets, as: UTF8.self)
      guard name.hasSuffix(".log") else { continue }
      let path = "\(stage.state)/mailboxes/\(name)"
      let content = try #require(Files.read(path))
      guard content.count > 10 else { continue }
      try Files.write(content.dropLast(3), to: path, mode: 0o600)
      torn += 1
    }
    #expect(torn > 0)
    try stage.imap.append(mail("newer"))
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func theMaildirIsGone() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.syncWell()
    try Command.shell("mv \"$1\" \"$1.away\"", [stage.maildir])
    let outcome = try stage.sync()
    #expect(outcome.code != 0, "\(outcome)")
    #expect(outcome.errors.contains("hint: "), "\(outcome)")
    #expect(stage.tree.count == 0, "the mail is not fetched again behind one's back")
    try Files.makeDirectories(stage.maildir)
    let empty = try stage.sync()
    #expect(empty.code != 0, "an empty mount point is not the Maildir: \(empty)")
    #expect(stage.tree.count == 0)
    try Command.shell("rm -rf \"$1\" && mv \"$1.away\" \"$1\"", [stage.maildir])
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func oneMailboxFolderIsGone() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.syncWell()
    try Command.shell("mv \"$1/Archive\" \"$1.away\"", [stage.maildir])
    try stage.imap.append(mail("new"))
    let outcome = try stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("test/Archive"), "\(outcome)")
    #expect(stage.tree["INBOX"].count == 13)
    #expect(stage.tree["Archive"].count == 0)
    try Command.shell("mv \"$1.away\" \"$1/Archive\"", [stage.maildir])
    try stage.syncWell()
    try stage.expectMirrored()
  }

  @Test func localChangesStayAndAreReported() throws {
    let stage = try Stage()
    try stage.imap.append((0..<6).map { mail("mail \($0)") }, flags: "\\Seen")
    try stage.syncWell()
    let inbox = "\(stage.maildir)/INBOX"
    let files = stage.tree["INBOX"].sorted { $0.subject < $1.subject }
    try #require(files.count == 6)
    let base = { (index: Int) in
      files[index].name.split(separator: ":").first.map { "\($0)" } ?? ""
    }
    try Command.shell("mv \"$1/$2\" \"$1/$3\"", ["\(inbox)/cur", files[0].name, base(0) + ":2,FS"])
    Files.removeTree("\(inbox)/cur/\(files[1].name)")
    try Files.write("Subject: mine\n\nx\n", to: "\(inbox)/cur/1700000000.1.host:2,S")
    let outcome = try stage.sync("-v", "--pull")
    let said = outcome.output + outcome.errors
    #expect(outcome.code == 0, "\(outcome)")
    #expect(said.contains("not pushed (pull only)"), "\(outcome)")

    try stage.imap.select()
    try stage.imap.store("3", "+FLAGS (\\Answered)")
    try stage.imap.append(mail("new"), flags: "\\Seen")
    _ = try stage.sync("--pull")
    let now = stage.tree["INBOX"]
    #expect(now.first { $0.subject == "mail 0" }?.flags == "FS", "the local flag stays")
    #expect(!now.contains { $0.subject == "mail 1" }, "what a person removed does not come back")
    #expect(now.contains { $0.subject == "mine" }, "what a person added stays")
    #expect(now.first { $0.subject == "mail 2" }?.flags == "RS")
    #expect(now.contains { $0.subject == "new" })
    #expect(now.count == 7)
  }
}
