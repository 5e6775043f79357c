import Testing
import TestSupport

/// What is changed in the folders reaches the server.
@Suite struct PushTests {
  /// The ways of servers to do what is asked for.
  static let servers = [
    DovecotOptions(),
    DovecotOptions().hiding("MOVE"),
    DovecotOptions().hiding("UIDPLUS"),
    DovecotOptions().hiding("MOVE", "UIDPLUS", "MULTIAPPEND", "LITERAL+", "CONDSTORE", "QRESYNC"),
  ]

  private func stage(_ options: DovecotOptions, trash: Bool = true) throws -> Stage {
    let stage = try Stage(options)
    try stage.fill()
    if trash { try stage.imap.create("Trash") }
    try stage.settle()
    return stage
  }

  /// Nothing is left to do, and both sides hold the same.
  private func expectSettled(_ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    try stage.expectMirrored(sourceLocation: sourceLocation)
    let before = try stage.imap.everything()
    let files = TreeSnapshot(stage.maildir, isDetailed: true)
    try stage.syncWell(sourceLocation: sourceLocation)
    let changed = TreeSnapshot(stage.maildir, isDetailed: true).differences(from: files)
    #expect(changed.filter { !$0.contains("/.magnum") } == [], sourceLocation: sourceLocation)
    #expect(try stage.imap.everything() == before, sourceLocation: sourceLocation)
  }

  @Test(arguments: Turn.part(of: servers))
  func flagsOfAnyClient(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let files = LocalFolder(stage.maildir, "INBOX")
    try files.setFlags("FRS", of: 0)
    try files.setFlags("", of: 1)
    try files.setFlags("DPT", of: 2)
    try stage.syncWell()
    try expectSettled(stage)
    #expect(files.flags(0) == "FRS")
  }

  @Test(arguments: Turn.part(of: servers))
  func newFiles(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let files = LocalFolder(stage.maildir, "Archive")
    try files.add("plain", mail("added one"), flags: "S")
    try files.add("drafty", mail("added two"), flags: "DFS")
    try files.add("bare", Array("no header at all".utf8), flags: "")
    try files.add("twin", mail("added one"), flags: "S")
    try stage.syncWell()
    try expectSettled(stage)
    #expect(stage.tree["Archive"].count == 9)
  }

  @Test(arguments: Turn.part(of: servers))
  func removalsGoToTrash(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let files = LocalFolder(stage.maildir, "INBOX")
    try files.remove(0)
    try files.remove(0)
    try stage.syncWell()
    try stage.syncWell()
    try expectSettled(stage)
    #expect(stage.tree["INBOX"].count == 10)
    #expect(stage.tree["Trash"].count == 2)
    try LocalFolder(stage.maildir, "Trash").remove(0)
    try stage.syncWell()
    try expectSettled(stage)
    #expect(stage.tree["Trash"].count == 1)
  }

  @Test(arguments: Turn.part(of: servers))
  func movesBetweenFolders(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let files = LocalFolder(stage.maildir, "INBOX")
    try files.move(0, to: "Archive")
    try files.move(0, to: "Lists/swift", flags: "FS")
    let name = try files.move(0, to: "Archive")
    try stage.syncWell()
    try expectSettled(stage)
    #expect(stage.tree["INBOX"].count == 9)
    #expect(stage.tree["Archive"].count == 7)
    #expect(stage.tree["Trash"].isEmpty)
    #expect(LocalFolder(stage.maildir, "Archive").bases.contains(name))
  }

  @Test(arguments: Turn.part(of: servers))
  func aMoveUnderAnotherNameWithAnotherHeader(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let files = LocalFolder(stage.maildir, "INBOX")
    let octets = try files.content(3)
    try files.remove(3)
    let header = Array("X-Status: A\nContent-Length: 3\nLines: 2\n".utf8)
    try LocalFolder(stage.maildir, "Archive").add("rewritten.by.mutt", header + octets, flags: "RS")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("move message"), "\(outcome)")
    #expect(stage.tree["INBOX"].count == 11)
    #expect(stage.tree["Archive"].count == 6)
    #expect(stage.tree["Trash"].isEmpty)
    try stage.syncWell()
    #expect(stage.tree["Archive"].count == 6)
  }

  @Test(arguments: Turn.part(of: servers))
  func aDraftEditedInItsPlace(_ options: DovecotOptions) throws {
    var options = options
    options.specialUse["Drafts"] = "\\Drafts"
    let stage = try stage(options)
    let drafts = LocalFolder(stage.maildir, "Drafts")
    try stage.imap.append(mail("draft", body: "first"), to: "Drafts", flags: "\\Draft \\Seen")
    try stage.settle()
    try drafts.write(0, mail("draft", body: "second, longer"))
    try stage.syncWell()
    try expectSettled(stage)
    try drafts.write(0, mail("draft, new subject", body: "second, longer"))
    try stage.syncWell()
    try expectSettled(stage)
    #expect(stage.tree["Drafts"].count == 1)
    #expect(stage.tree["Trash"].isEmpty)
  }

  @Test(arguments: Turn.part(of: servers))
  func aMoveOnTheServerCostsNoDownload(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try stage.imap.append([mail("first to go"), mail("second to go")])
    try stage.syncWell()
    try stage.imap.select()
    try stage.imap.move("13:14", to: "Archive")
    let outcome = try stage.syncWell("-v")
    #expect(outcome.errors.contains("2 moved here"), "\(outcome)")
    #expect(!outcome.errors.contains(" new"), "\(outcome)")
    try expectSettled(stage)
  }

  @Test func aServerWithoutTrashGetsOne() throws {
    let stage = try stage(DovecotOptions(), trash: false)
    try LocalFolder(stage.maildir, "INBOX").remove(0)
    try stage.syncWell()
    try stage.syncWell()
    try expectSettled(stage)
    #expect(stage.tree["Trash"].count == 1)
  }

  @Test func allFilesGoneIsHeldBack() throws {
    let stage = try stage(DovecotOptions())
    let files = LocalFolder(stage.maildir, "INBOX")
    while !files.bases.isEmpty { try files.remove(0) }
    let outcome = try stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("removed here"), "\(outcome)")
    #expect(try stage.imap.everything()["INBOX"]?.count == 12)
    try stage.syncWell("--allow-mass-delete", "test/INBOX")
    try stage.syncWell()
    try expectSettled(stage)
    #expect(stage.tree["Trash"].count == 12)
  }

  @Test func pullChangesNothingOnTheServer() throws {
    let stage = try stage(DovecotOptions())
    let files = LocalFolder(stage.maildir, "INBOX")
    try files.setFlags("F", of: 0)
    try files.remove(1)
    try files.move(1, to: "Archive")
    try files.add("mine", mail("mine"), flags: "")
    let before = try stage.imap.everything()
    try stage.syncWell("--pull")
    #expect(try stage.imap.everything() == before)
    try stage.syncWell()
    try stage.syncWell()
    try expectSettled(stage)
  }

  @Test func aCommandRunsAfterASyncThatBroughtSomething() throws {
    let stage = try stage(DovecotOptions())
    let note = stage.program.home["note"]
    let line = "echo $MAGNUM_ACCOUNT $MAGNUM_NEW $MAGNUM_FLAGS $MAGNUM_REMOVED >> \(note)"
    try stage.configure(sync: "post-sync = \"\(line)\"")
    try stage.syncWell()
    #expect(!Files.exists(note))
    try stage.imap.append([mail("one"), mail("two")])
    try stage.imap.select()
    try stage.imap.store("1", "+FLAGS (\\Flagged)")
    try stage.syncWell("--dry-run")
    try stage.syncWell()
    try stage.syncWell()
    #expect(Files.text(note) == "test 2 1 0\n")
    try stage.configure(sync: "post-sync = [\"false\"]")
    try stage.imap.append(mail("three"))
    let outcome = try stage.sync()
    #expect(outcome.code == 1, "\(outcome)")
    #expect(outcome.errors.contains("post-sync ended with status 1"), "\(outcome)")
    #expect(stage.tree["INBOX"].count == 15)
  }

  @Test func marksInTrashAreExpunged() throws {
    let stage = try stage(DovecotOptions())
    try stage.imap.append([mail("one"), mail("two")], to: "Trash")
    try stage.settle()
    try LocalFolder(stage.maildir, "Trash").setFlags("ST", of: 0)
    try LocalFolder(stage.maildir, "INBOX").setFlags("ST", of: 0)
    try stage.syncWell()
    try stage.syncWell()
    try expectSettled(stage)
    #expect(stage.tree["Trash"].count == 1)
    #expect(stage.tree["INBOX"].count == 12)
  }

  @Test(arguments: [("keep", 12, 0), ("expunge", 11, 0), ("trash", 11, 1)])
  func whatARemovedFileMeans(word: String, inbox: Int, trash: Int) throws {
    let stage = try stage(DovecotOptions())
    try stage.configure(sync: "on-local-delete = \"\(word)\"")
    try LocalFolder(stage.maildir, "INBOX").remove(0)
    try stage.syncWell()
    #expect(try stage.imap.everything()["INBOX"]?.count == inbox)
    #expect(try stage.imap.everything()["Trash"]?.count == trash)
  }

  /// Gmail says so by X-GM-EXT-1; expunging a message from a label leaves it in the others there.
  @Test func aLabelIsTakenFromAMessageThatStays() throws {
    var options = DovecotOptions()
    options.capabilities = DovecotOptions.allCapabilities + " X-GM-EXT-1"
    let stage = try stage(options)
    try LocalFolder(stage.maildir, "Lists/swift").remove(0)
    try LocalFolder(stage.maildir, "INBOX").remove(0)
    try stage.syncWell()
    let server = try stage.imap.everything()
    #expect(server["Lists/swift"]?.count == 4)
    #expect(server["INBOX"]?.count == 11)
    #expect(server["Trash"]?.count == 1)
  }

  @Test func pushNeverChangesTheFolders() throws {
    let stage = try stage(DovecotOptions())
    try stage.configure(sync: "direction = \"push\"")
    try LocalFolder(stage.maildir, "INBOX").setFlags("F", of: 0)
    try LocalFolder(stage.maildir, "INBOX").add("mine", mail("mine"), flags: "S")
    try stage.imap.append(mail("theirs"))
    try stage.imap.select()
    try stage.imap.store("5", "+FLAGS (\\Answered)")
    try stage.imap.expunge("7")
    let before = TreeSnapshot(stage.maildir, isDetailed: true)
    try stage.syncWell()
    let changed = TreeSnapshot(stage.maildir, isDetailed: true).differences(from: before)
    #expect(changed.filter { !$0.contains("/.magnum") } == [])
    #expect(try stage.imap.everything()["INBOX"]?.count == 13)
  }
}
