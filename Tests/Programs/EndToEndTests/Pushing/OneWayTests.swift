import TestSupport
import Testing

/// A run that may change one side only does nothing that a run both ways would not have done: the rest waits for that one.
@Suite struct OneWayTests {
  static let servers = [
    DovecotOptions(),
    DovecotOptions().hiding("MOVE", "UIDPLUS", "MULTIAPPEND", "LITERAL+", "CONDSTORE", "QRESYNC"),
  ]

  private func stage(_ options: DovecotOptions) throws -> Stage {
    let stage = try Stage(options)
    for name in ["A", "B", "Drafts"] { try stage.imap.create(name) }
    try stage.imap.append(mail("draft", body: "first"), to: "Drafts", flags: "\\Draft \\Seen")
    try stage.imap.append(["one", "two", "three", "four"].map { mail($0) })
    try stage.settle()
    return stage
  }

  private func subjects(_ stage: Stage, in mailbox: String) throws -> Int {
    try stage.imap.messages(in: mailbox).count
  }

  @Test(arguments: Turn.part(of: servers))
  func pulledAfterMovesOnBothSides(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    let inbox = LocalFolder(stage.maildir, "INBOX")
    for subject in ["one", "two"] {
      let octets = try inbox.content(subject)
      try inbox.remove(subject)
      try LocalFolder(stage.maildir, "A").add("renamed-\(subject)", octets, flags: "S")
      // The folder of the one is as a run before left it.
      if subject == "one" { try stage.syncWell("--pull") }
    }
    try stage.imap.select()
    try stage.imap.move("1,2", to: "B")
    try stage.syncWell("--pull")
    try stage.expectSettled()
    #expect(try subjects(stage, in: "A") == 0)
    #expect(try subjects(stage, in: "B") == 2)
  }

  /// One in a place that the run leaves out.
  @Test func pulledWithoutTheFolderOfTheFile() throws {
    let stage = try stage(DovecotOptions())
    let inbox = LocalFolder(stage.maildir, "INBOX")
    let octets = try inbox.content("one")
    try inbox.remove("one")
    try LocalFolder(stage.maildir, "A").add("renamed", octets, flags: "S")
    try stage.imap.select()
    try stage.imap.move("1", to: "B")
    _ = try stage.sync("--pull", "test/INBOX", "test/B")
    try stage.expectSettled()
    #expect(try subjects(stage, in: "A") + subjects(stage, in: "B") == 1)
  }

  @Test(arguments: Turn.part(of: servers))
  func pulledAfterRemovalsThere(_ options: DovecotOptions) throws {
    let stage = try stage(options)
    try LocalFolder(stage.maildir, "INBOX").setFlags("FS", of: "one")
    try LocalFolder(stage.maildir, "INBOX").move("two", to: "A", flags: "S")
    try LocalFolder(stage.maildir, "Drafts").write("draft", mail("draft", body: "second, longer"))
    for mailbox in ["INBOX", "Drafts"] {
      try stage.imap.select(mailbox)
      try stage.imap.expunge(mailbox == "INBOX" ? "1:2" : "1")
    }
    // The second has nothing to tell, and leaves as much.
    for _ in 1...2 { try stage.syncWell("--pull") }
    try stage.expectSettled()
    #expect(try subjects(stage, in: "INBOX") == 3)
    #expect(try subjects(stage, in: "A") == 1)
    #expect(try subjects(stage, in: "Drafts") == 1)
  }

  /// Its file is away while the server tells of a flag; so with a message that is kept there.
  @Test(arguments: Turn.part(of: servers), ["", "on-local-delete = \"keep\""])
  func flagsToldWithoutTheFile(_ options: DovecotOptions, _ setting: String) throws {
    let stage = try stage(options)
    try stage.configure(sync: setting)
    let arguments = setting.isEmpty ? ["--pull"] : []
    let inbox = LocalFolder(stage.maildir, "INBOX")
    let (base, octets) = (inbox.bases[try inbox.index("one")], try inbox.content("one"))
    try inbox.remove("one")
    try stage.imap.select()
    try stage.imap.store("1", "+FLAGS (\\Seen)")
    for _ in 1...2 {
      let outcome = try stage.program.command(arguments).run()
      #expect(outcome.code == 0, "\(outcome)")
    }
    try inbox.add(base, octets, flags: "")
    try stage.syncWell()
    #expect(inbox.flags(try inbox.index("one")).contains("S"))
    try stage.expectSettled()
  }

  /// Else the next run would take what it lacks for removed here.
  @Test func pulledIntoAnOlderCopy() throws {
    let stage = try stage(DovecotOptions())
    let folder = "\(stage.maildir)/INBOX"
    try Command.shell("cp -a \"$1\" \"$1.old\" && rm -r \"$1\" && mv \"$1.old\" \"$1\"", [folder])
    try LocalFolder(stage.maildir, "INBOX").remove("one")
    try stage.syncWell("--pull")
    try stage.expectSettled()
    #expect(try subjects(stage, in: "INBOX") == 4)
  }

  @Test(arguments: Turn.part(of: servers), ["", "window = \"30d\""])
  func pushedAndThenBothWays(_ options: DovecotOptions, _ window: String) throws {
    let stage = try stage(options)
    try stage.configure(sync: "direction = \"push\"\n\(window)")
    try LocalFolder(stage.maildir, "INBOX").move("three", to: "A", flags: "S")
    try LocalFolder(stage.maildir, "Drafts").write("draft", mail("draft", body: "second, longer"))
    try stage.imap.select()
    try stage.imap.move("3", to: "B")
    try stage.imap.expunge("1")
    try stage.imap.store("2", "+FLAGS (\\Flagged)")
    try stage.imap.append(mail("five"))
    try stage.imap.select("Drafts")
    try stage.imap.store("1", "+FLAGS (\\Flagged)")
    for _ in 1...2 {
      try stage.syncWell()
      #expect(try subjects(stage, in: "A") == 0)
    }
    let drafts = LocalFolder(stage.maildir, "Drafts")
    #expect(!drafts.flags(0).contains("F"))
    try stage.configure(sync: window)
    try stage.expectSettled()
    #expect(try subjects(stage, in: "INBOX") == 3)
    #expect(try subjects(stage, in: "A") == 0)
    #expect(try subjects(stage, in: "B") == 1)
    #expect(drafts.flags(0).contains("F") && drafts.bases.count == 1)
  }

  /// Else the second run would remove from the server what it lacks.
  @Test func pushedFromAnOlderCopy() throws {
    let stage = try stage(DovecotOptions())
    let folder = "\(stage.maildir)/INBOX"
    try stage.configure(sync: "direction = \"push\"")
    try Command.shell("cp -a \"$1\" \"$1.old\" && rm -r \"$1\" && mv \"$1.old\" \"$1\"", [folder])
    try LocalFolder(stage.maildir, "INBOX").remove("one")
    for _ in 1...2 { try stage.syncWell() }
    try stage.configure()
    try stage.expectSettled()
    #expect(try subjects(stage, in: "INBOX") == 4)
  }
}
