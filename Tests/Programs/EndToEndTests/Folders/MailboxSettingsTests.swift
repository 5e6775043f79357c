import TestSupport
import Testing

/// Sections that hold for some mailboxes alone, and patterns with exceptions.
@Suite struct MailboxSettingsTests {
  private func stage(_ own: String, sync: String = "", mailboxes: [String]) throws -> Stage {
    let stage = try Stage()
    try configure(stage, own, sync: sync)
    try stage.imap.append((0..<3).map { mail("in \($0)") }, flags: "\\Seen")
    for name in mailboxes {
      try stage.imap.create(name)
      try stage.imap.append((0..<3).map { mail("\(name) \($0)") }, to: name, flags: "\\Seen")
    }
    return stage
  }

  private func configure(_ stage: Stage, _ own: String, sync: String = "") throws {
    try stage.configure(sync: sync)
    let text = try #require(Files.text(stage.program.home[".config/magnum/config.toml"]))
    try stage.program.configure(text + "\n" + own + "\n")
  }

  private func count(_ stage: Stage, _ mailbox: String) throws -> Int {
    try stage.imap.select(mailbox)
    return try stage.imap.messages(in: mailbox).count
  }

  @Test func oneMailboxIsOnlyPulled() throws {
    let own = "[account.test.mailbox.\"Archive/*\"]\ndirection = \"pull\""
    let stage = try stage(own, mailboxes: ["Archive/2024", "Work"])
    try stage.settle()
    let archive = LocalFolder(stage.maildir, "Archive/2024")
    let (work, inbox) = (LocalFolder(stage.maildir, "Work"), LocalFolder(stage.maildir, "INBOX"))
    // What is done here to the mailbox does not reach the server; what is done to others does.
    try archive.setFlags("FS", of: try archive.index("Archive/2024 0"))
    try work.setFlags("FS", of: try work.index("Work 0"))
    try archive.add("new", mail("written here"), flags: "S")
    try work.add("new", mail("written here too"), flags: "S")
    try archive.remove(try archive.index("Archive/2024 1"))
    try work.remove(try work.index("Work 1"))
    // A file that is moved in leaves its message where it was; of one that is moved out the server gets a copy.
    try inbox.move(try inbox.index("in 0"), to: "Archive/2024")
    try archive.move(try archive.index("Archive/2024 2"), to: "INBOX")
    for _ in 0..<2 { _ = try stage.sync() }
    #expect(try count(stage, "Archive/2024") == 3)
    let flags = try stage.imap.messages(in: "Archive/2024").map { MaildirTree.letters($0.flags) }
    #expect(flags == ["S", "S", "S"])
    #expect(try count(stage, "Work") == 3)
    #expect(try count(stage, "Trash") == 1)
    #expect(try count(stage, "INBOX") == 4)
    // What is new there comes, and nothing is here twice.
    try stage.imap.append(mail("from elsewhere"), to: "Archive/2024")
    _ = try stage.sync()
    let here = stage.tree["Archive/2024"].map(\.subject).sorted()
    #expect(here == ["Archive/2024 0", "from elsewhere", "in 0", "written here"], "\(here)")
    #expect(stage.tree["INBOX"].count == 3)
    // Once it is synced both ways, what was left out goes there.
    try configure(stage, "")
    try stage.settle()
    let now = try stage.imap.messages(in: "Archive/2024").map { MaildirTree.letters($0.flags) }
    #expect(now.contains("FS"), "\(now)")
    let sides = Set(stage.tree["Archive/2024"].map(\.subject))
    #expect(sides.isSuperset(of: ["in 0", "written here", "from elsewhere"]), "\(sides)")
    #expect(try count(stage, "Archive/2024") == stage.tree["Archive/2024"].count)
  }

  @Test func oneMailboxKeepsWhatTheServerLoses() throws {
    let own = "[account.test.mailbox.Archive]\non-remote-delete = \"keep\""
    let stage = try stage(own, mailboxes: ["Archive", "Work"])
    try stage.settle()
    for name in ["Archive", "Work"] {
      try stage.imap.select(name)
      try stage.imap.expunge("1")
    }
    try stage.settle()
    #expect(stage.tree["Archive"].count == 3)
    #expect(stage.tree["Work"].count == 2)
    #expect(try count(stage, "Archive") == 2)
  }

  @Test func foldersAreMadeWhereTheirMailboxesAllowIt() throws {
    let own = """
      [account.test.mailbox."Local/*"]
      create = "local"
      [account.test.mailbox."There/*"]
      create = "none"
      """
    let stage = try stage(own, mailboxes: ["Local/a", "There/a", "Work"])
    try LocalFolder(stage.maildir, "Local/b").add("b", mail("b"), flags: "S")
    try LocalFolder(stage.maildir, "There/b").add("b", mail("b"), flags: "S")
    try LocalFolder(stage.maildir, "Both").add("b", mail("b"), flags: "S")
    try stage.syncWell()
    let mailboxes = try stage.imap.mailboxes()
    #expect(mailboxes.contains("Both"), "\(mailboxes)")
    #expect(!mailboxes.contains("Local/b") && !mailboxes.contains("There/b"), "\(mailboxes)")
    #expect(stage.tree["Local/a"].count == 3)
    #expect(!Files.exists("\(stage.maildir)/There/a"))
  }

  /// What a dry run says is all that a person sees of mailboxes without a folder.
  @Test func aDryRunCountsWhatIsLeftOut() throws {
    let stage = try stage("", sync: "create = \"none\"", mailboxes: ["Archive", "Lists/swift"])
    try Files.makeDirectories("\(stage.maildir)/INBOX/cur")
    let text = try stage.syncWell("--dry-run").output
    #expect(text.contains("6 messages left out: 2 mailboxes have no folder here"), "\(text)")
    #expect(text.contains("(Archive, Lists/swift)"), "\(text)")
    let json = try stage.syncWell("--dry-run", "--json").output
    #expect(
      json.contains("\"left-out\":[\"Archive\",\"Lists/swift\"],\"left-out-messages\":6"),
      "\(json)"
    )
    try configure(stage, "")
    let whole = try stage.syncWell("--dry-run")
    #expect(!whole.output.contains("left out"), "\(whole)")
  }

  @Test func anExceptionFromAnException() throws {
    let patterns = "[\"*\", \"![Gmail]/*\", \"[Gmail]/Sent Mail\", \"!Junk\"]"
    let mailboxes = ["[Gmail]/Sent Mail", "[Gmail]/All", "Work", "Junk"]
    let stage = try stage("", sync: "include = \(patterns)", mailboxes: mailboxes)
    try stage.settle()
    for name in ["Work", "[Gmail]/Sent Mail", "INBOX"] {
      #expect(stage.tree[OctetName(name)].count == 3, "\(name)")
    }
    for name in ["[Gmail]/All", "Junk"] {
      #expect(!Files.exists("\(stage.maildir)/\(name)"), "\(name)")
    }
    // One that lets nothing in is no success.
    try configure(stage, "", sync: "include = [\"INBOX.*\"]")
    #expect(try stage.sync().code == 78)
  }
}
