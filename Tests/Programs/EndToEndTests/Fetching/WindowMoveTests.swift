import TestSupport
import Testing

/// Mail that is here and older than the account's window follows the server like any other.
@Suite struct WindowMoveTests {
  static let servers = [
    DovecotOptions(),
    DovecotOptions().hiding("MOVE", "UIDPLUS", "MULTIAPPEND", "LITERAL+", "CONDSTORE", "QRESYNC"),
  ]

  /// What was done here with the message that the server moved.
  enum Doing: CaseIterable { case nothing, flagged, moved }

  /// To a mailbox that is new, and to one of before, which a server tells of as a whole or is asked to.
  @Test(arguments: Turn.part(of: servers), Doing.allCases)
  func oldMailThatIsMovedThere(_ options: DovecotOptions, _ doing: Doing) throws {
    for (target, arguments) in [("New", []), ("Archive", ["--scan"])] {
      let stage = try Stage(options)
      try stage.imap.create("Archive")
      try stage.imap.create("Other")
      try stage.imap.append(mail("one"), date: "01-Jan-2020 23:30:00 -0500")
      try stage.imap.append(["two", "three"].map { mail($0) })
      try stage.settle()
      try stage.configure(sync: "window = \"30d\"")
      try stage.settle()
      try stage.imap.append(mail("never here"), to: "Archive", date: "01-Jan-2020 10:00:00 +0000")
      try stage.syncWell()
      let inbox = LocalFolder(stage.maildir, "INBOX")
      switch doing {
      case .nothing: break
      case .flagged: try inbox.setFlags("FS", of: "one")
      case .moved: try inbox.move("one", to: "Other", flags: "S")
      }
      if target == "New" { try stage.imap.create("New") }
      try stage.imap.select()
      try stage.imap.move("1", to: target)
      let outcome = try stage.program.command(arguments).run()
      #expect(outcome.code == 0, "\(outcome)")
      try stage.syncWell()
      let there = try stage.contents()
      #expect(there[target]?.count { $0.hasSuffix("Subject: one") } == 1, "\(there)")
      #expect(there.values.joined().count { $0.hasSuffix("Subject: one") } == 1, "\(there)")
      #expect(stage.tree[OctetName(target)].count == 1 && stage.tree["INBOX"].count == 2)
      #expect(stage.tree["Other"].isEmpty)
    }
  }

  /// Its file stays until a sync sees both mailboxes.
  @Test(arguments: Turn.part(of: servers))
  func oldMailThatIsMovedWhereTheSyncDoesNotLook(_ options: DovecotOptions) throws {
    let stage = try Stage(options)
    try stage.imap.create("Archive")
    try stage.imap.append(mail("one"), date: "01-Jan-2020 23:30:00 -0500")
    try stage.imap.append(mail("two"))
    try stage.settle()
    try stage.configure(sync: "window = \"30d\"")
    try stage.settle()
    try stage.imap.select()
    try stage.imap.move("1", to: "Archive")
    _ = try stage.sync("test/INBOX")
    #expect(stage.tree["INBOX"].count == 2)
    try stage.syncWell()
    #expect(stage.tree["INBOX"].count == 1 && stage.tree["Archive"].count == 1)
    let there = try stage.contents()
    #expect(there.values.joined().count { $0.hasSuffix("Subject: one") } == 1, "\(there)")
  }
}
