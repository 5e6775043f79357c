import TestSupport
import Testing

/// What a run makes durable does not depend on how many mailboxes something came to.
@Suite struct FlightCostTests {
  private static let summary = [".magnum/summary", "test/.magnum"]

  /// The files, the directories, the records and the checkpoints of all mailboxes, each by one flush of the file system.
  @Test func newMailInManyMailboxes() throws {
    let stage = try Stage()
    let names = (1...100).map { "box\($0)" }
    for name in names {
      try stage.imap.create(name)
      try stage.imap.append(mail("first in \(name)"), to: name)
    }
    try stage.settle()
    for count in [40, 100] {
      for name in names.prefix(count) {
        try stage.imap.append(mail("\(count) in \(name)"), to: name)
      }
      let flushed = try stage.flushed(by: stage.program.command([]))
      let expected = ["boxN/new", "boxN/tmp", ".magnum/mailboxes", ".magnum/mailboxes"]
      #expect(flushed == (expected + Self.summary).sorted(), "\(count)")
      try stage.expectMirrored()
      try stage.settle()
    }
  }

  /// Their directories, markers and maps as well.
  @Test func manyNewMailboxes() throws {
    let stage = try Stage()
    try stage.imap.append(mail("first"), to: "INBOX")
    try stage.settle()
    var counts: [Int] = []
    for count in [40, 100] {
      for number in 1...count {
        let name = "\(count)/box\(number)"
        try stage.imap.create(name)
        try stage.imap.append([mail("one in \(name)"), mail("two in \(name)")], to: name)
      }
      counts.append(try stage.flushed(by: stage.program.command([])).count)
      try stage.expectMirrored()
      try stage.settle()
    }
    #expect(counts[0] == counts[1] && counts[0] <= 12, "\(counts)")
  }

  /// What the server changed in many mailboxes, and what is made durable here.
  struct News: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let command: @Sendable (Int) -> String
    let flushed: [String]
  }

  /// What is about to be shown, the names of the files, what is shown, and the checkpoints; keywords go into a file of each folder.
  @Test(arguments: [
    News(
      testDescription: "flags",
      command: { $0 == 40 ? #"STORE 1 +FLAGS (\Flagged)"# : #"STORE 1 +FLAGS (\Answered)"# },
      flushed: [".magnum/mailboxes", "boxN/cur", ".magnum/mailboxes", ".magnum/mailboxes"]
    ),
    News(
      testDescription: "keywords",
      command: { "STORE 1 +FLAGS (red\($0))" },
      flushed: [".magnum/mailboxes", "test/boxN", "test/boxN", ".magnum/mailboxes"]
    ),
    News(
      testDescription: "removals",
      command: { _ in #"STORE 1 +FLAGS.SILENT (\Deleted)"# },
      flushed: ["boxN/cur", ".magnum/mailboxes", ".magnum/mailboxes"]
    ),
  ])
  func changesThereInManyMailboxes(_ news: News) throws {
    let stage = try Stage()
    let names = (1...100).map { "box\($0)" }
    for name in names {
      try stage.imap.create(name)
      try stage.imap.append((1...10).map { mail("\($0) in \(name)") }, to: name, flags: #"\Seen"#)
    }
    try stage.settle()
    for count in [40, 100] {
      for name in names.prefix(count) {
        try stage.imap.select(name)
        try stage.imap.command(news.command(count))
        try stage.imap.command("EXPUNGE")
      }
      let flushed = try stage.flushed(by: stage.program.command([]))
      #expect(flushed == (news.flushed + Self.summary).sorted(), "\(count)")
      try stage.expectMirrored()
      try stage.settle()
    }
  }

  /// Each mailbox by itself where there are few: to flush the file system waits for what other programs wrote.
  @Test func newMailInAMailbox() throws {
    let stage = try Stage()
    try stage.imap.append(mail("first"), to: "INBOX")
    try stage.settle()
    try stage.imap.append(mail("second"), to: "INBOX")
    let flushed = try stage.flushed(by: stage.program.command([]))
    // The file, its name, its record, the checkpoint; and the summary.
    #expect(flushed.count == 4 + Self.summary.count, "\(flushed)")
    #expect(!flushed.contains(".magnum/mailboxes"), "\(flushed)")
  }
}
