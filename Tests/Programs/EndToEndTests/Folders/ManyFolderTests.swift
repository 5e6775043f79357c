import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Many mailboxes, and names without a hierarchy.
///
/// MAGNUM_MAILBOXES=2000 in the environment makes them more.
@Suite struct ManyFolderTests {
  @Test func manyMailboxesComeAndRest() throws {
    let count = getenv("MAGNUM_MAILBOXES").flatMap { Int(String(cString: $0)) } ?? 200
    let boxes = (1...count).map { number in
      FakeMailServer.Mailbox(
        "Box/\(number)",
        [FakeMailServer.Mail(1, "Subject: \(number)\r\n\r\nx\r\n")]
      )
    }
    let fake = try FakeMailServer([FakeMailServer.Mailbox("INBOX")] + boxes)
    let stage = try Stage()
    try stage.configure(url: fake.clearURL)
    let outcome = try stage.sync(timeLimit: 300)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.peakMemory < 64 * 1024, "\(outcome.peakMemory) KiB")
    #expect(stage.tree.count == count)
    var trusting = stage.program.trustingCommand([])
    trusting.timeLimit = 300
    _ = try trusting.run()
    let files = TreeSnapshot(stage.maildir)
    let again = try stage.sync(timeLimit: 300)
    #expect(again.code == 0, "\(again)")
    let changed = TreeSnapshot(stage.maildir).differences(from: files)
    #expect(changed.filter { !$0.contains("/.magnum") } == [])
  }

  /// A first sync flushes for the account and for each batch of mailboxes, not for each mailbox.
  @Test func newMailboxesAreFlushedTogether() throws {
    let counts = try [40, 120].map { count in
      let stage = try Stage()
      for number in 1...count {
        try stage.imap.create("box\(number)")
        try stage.imap.append(mail("in box\(number)"), to: "box\(number)")
      }
      let flushed = try stage.flushed(by: stage.program.command([]))
      #expect(stage.tree.count == count)
      return flushed.count
    }
    #expect(counts[0] == counts[1] && counts[0] < 40, "\(counts)")
  }

  @Test(arguments: ["verbatim", "maildir++"])
  func withoutAHierarchySeparatorsAreLetters(layout: String) throws {
    let names = ["INBOX", "a/b", "a.b", "a"]
    let boxes = names.map {
      FakeMailServer.Mailbox($0, [FakeMailServer.Mail(1, "Subject: \($0)\r\n\r\nx\r\n")])
    }
    let fake = try FakeMailServer(boxes) { request in
      guard request.name == "LIST" else { return nil }
      let lines = names.flatMap {
        [
          "* LIST (\\HasNoChildren) NIL \"\($0)\"",
          "* STATUS \"\($0)\" (MESSAGES 1 UIDNEXT 2 UIDVALIDITY 1)",
        ]
      }
      return [.send(lines.map { $0 + "\r\n" }.joined()), .lines("{tag} OK")]
    }
    let stage = try Stage()
    try stage.configure(url: fake.clearURL, account: "layout = \"\(layout)\"")
    for _ in 0..<2 {
      try stage.syncWell()
      #expect(stage.tree.mailboxes.count == names.count, "\(stage.tree.mailboxes.keys)")
      for name in names {
        let found = stage.tree.mailboxes.values.filter { $0.map(\.subject) == [name] }
        #expect(found.count == 1, "\(name): \(stage.tree.mailboxes.keys)")
      }
    }
  }

  @Test func aFolderMadeHereHasTheServersSeparator() throws {
    var options = DovecotOptions()
    options.separator = "."
    let stage = try Stage(options)
    try stage.settle()
    try LocalFolder(stage.maildir, "Lists/swift").add("one", mail("one"), flags: "S")
    try stage.syncWell()
    #expect(try stage.imap.mailboxes().contains("Lists.swift"))
    #expect(try stage.imap.messages(in: "Lists.swift").count == 1)
  }

  @Test func aMailboxDeletedAndMadeAgainUnderItsNameKeepsWhatWasHere() throws {
    let stage = try Stage()
    try stage.fill()
    try stage.settle()
    let old = try stage.imap.messages(in: "Archive")
    for _ in 0..<2 {
      try stage.imap.select()
      try stage.imap.delete("Archive")
      try stage.imap.create("Archive")
      for mail in old.reversed() {
        try stage.imap.append(mail.body, to: "Archive", flags: "\\Seen")
      }
      let outcome = try stage.syncWell("-v")
      #expect(!outcome.errors.contains("fetch "), "\(outcome)")
      #expect(!outcome.errors.contains("upload "), "\(outcome)")
      #expect(stage.tree["Archive"].count == old.count)
    }
    try stage.syncWell()
    #expect(stage.tree["Archive"].count == old.count)
  }
}
