import TestSupport
import Testing

/// Commands go to the mailbox that they are meant for, whichever the server opened last.
@Suite struct OpenMailboxTests {
  /// Several mailboxes are opened in one flight, and the folder of one of them cannot be read.
  @Test(arguments: ["INBOX", "Archive"])
  func aFolderThatCannotBeRead(_ broken: String) throws {
    let whole = broken == "INBOX" ? "Archive" : "INBOX"
    let stage = try Stage()
    try stage.imap.create("Archive")
    for mailbox in ["INBOX", "Archive"] {
      for number in 1...3 { try stage.imap.append(mail("\(mailbox) \(number)"), to: mailbox) }
    }
    try stage.settle()
    for _ in 1...2 { try stage.syncWell() }
    let body = String(repeating: "as long as that it does not come early\r\n", count: 5000)
    for mailbox in ["INBOX", "Archive"] {
      try stage.imap.append(mail("\(mailbox) large", body: body), to: mailbox)
    }
    try LocalFolder(stage.maildir, whole).setFlags("FS", of: "\(whole) 2")
    _ = try Command.shell("cd \"$1\" && mv cur away && touch cur", [stage.maildir + "/" + broken])
    #expect(try stage.sync().code == 1)
    #expect(try flagged(stage) == ["\(whole) 2"])
    _ = try Command.shell("cd \"$1\" && rm cur && mv away cur", [stage.maildir + "/" + broken])
    for _ in 1...2 { try stage.syncWell() }
    #expect(try flagged(stage) == ["\(whole) 2"])
    try stage.expectMirrored()
  }

  /// The subjects of the messages that the server has flagged.
  private func flagged(_ stage: Stage) throws -> [String] {
    try stage.imap.everything().values.joined().filter { $0.flags.contains("\\Flagged") }
      .map(\.subject)
  }
}
