import MailModel
import Maildir
import Platform
import Query
import SearchIndex
import TestSupport
import Testing

/// What becomes of recent mail as more and more of it comes: answers stay those of an index that is made anew.
@Suite struct TierTests {
  private static func limits(_ messages: Int, share: Int64) -> TierLimits {
    var limits = TierLimits()
    limits.messages = messages
    limits.share = share
    return limits
  }

  @Test func recentMailBecomesMiddleThenMain() throws {
    var mailbox = try Mailbox()
    for number in 0..<30 { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    // However large the middle database is, it stays beside the main one.
    mailbox.index.limits = Self.limits(4, share: 0)
    let steps: [(count: Int, pointer: String)] = [
      (2, "0 1\n"), (2, "0 2\n"),
      // Five would be too many.
      (1, "0 3 1\n"), (3, "0 4 1\n"), (1, "0 5 2\n"),
      // More than the limit at once are not held back.
      (6, "0 6 3\n"), (1, "0 7 4\n"),
    ]
    var next = 30
    for (count, pointer) in steps {
      for number in next..<(next + count) {
        try deliver(number, to: mailbox, answering: number - 30)
      }
      next += count
      try mailbox.index.scan(.nothing)
      #expect(try self.pointer(mailbox) == pointer)
      #expect(try mailbox.count("*") == next)
    }
    #expect(try mailbox.index.place.currentGeneration() == 1)
    #expect(try mailbox.index.check().report == [])
    // As soon as it may not be as large, all are one.
    mailbox.index.limits = Self.limits(1, share: 1000)
    try deliver(next, to: mailbox)
    try mailbox.index.scan(.nothing)
    #expect(try mailbox.index.place.currentGeneration() == 2)
    #expect(try self.pointer(mailbox) == "0 1\n")
    try expectAsBuiltAnew(mailbox)
  }

  /// Mail of each database gets flags, other folders and answers, and goes.
  @Test func mailOfAllDatabasesChangesTogether() throws {
    var mailbox = try Mailbox()
    for number in 0..<10 { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    mailbox.index.limits = Self.limits(3, share: 0)
    for number in 10..<17 {
      try deliver(number, to: mailbox)
      try mailbox.index.scan(.nothing)
    }
    let pointer = try self.pointer(mailbox)
    // 0 to 9 are in the main database, to 15 in the middle one, 16 in the recent one.
    try mailbox.rename("INBOX/cur/12:2,", "INBOX/cur/12:2,F")
    try mailbox.index.scan(.nothing)
    #expect(try self.pointer(mailbox) != pointer)
    for number in [3, 13, 16] {
      try mailbox.rename("INBOX/cur/\(number):2,", "Archive/cur/\(number):2,S")
    }
    for number in [4, 14] { try mailbox.remove("INBOX/cur/\(number):2,") }
    try mailbox.index.scan(.nothing)
    #expect(try mailbox.ids("folder:Archive") == ["13@x", "16@x", "3@x"])
    try deliver(17, to: mailbox, answering: 5, 11, 16)
    try mailbox.index.scan(.nothing)
    #expect(try mailbox.threads("id:17@x").map(\.messages.count) == [4])
    try expectAsBuiltAnew(mailbox)
  }

  @Test func allMiddleAndRecentMailGoes() throws {
    var mailbox = try Mailbox()
    for number in 0..<3 { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    mailbox.index.limits = Self.limits(2, share: 0)
    for number in 3..<8 {
      try deliver(number, to: mailbox)
      try mailbox.index.scan(.nothing)
    }
    for number in 3..<8 { try mailbox.remove("INBOX/cur/\(number):2,") }
    try mailbox.index.scan(.nothing)
    #expect(try mailbox.count("*") == 3)
    for number in 8..<12 {
      try deliver(number, to: mailbox)
      try mailbox.index.scan(.nothing)
    }
    let before = try mailbox.everything()
    #expect(before.count == 7)
    try mailbox.index.compact()
    #expect(try mailbox.everything() == before)
    try expectAsBuiltAnew(mailbox)
  }

  @Test(arguments: 1...12) func anyChangesGiveTheSame(_ seed: UInt64) throws {
    var world = try RandomMail(seed: seed)
    try world.mailbox.index.build()
    var index = world.mailbox.index
    index.limits = Self.limits(3, share: seed % 3 == 0 ? 2 : 0)
    for _ in 0..<25 {
      let changes = try world.change(Int.random(in: 1...4, using: &world.generator))
      try index.apply(changes)
    }
    try expectAsBuiltAnew(world.mailbox)
  }

  /// Each answer is that of one moment, while databases become one.
  @Test func readersSeeWholeChanges() throws {
    var mailbox = try Mailbox()
    for number in 0..<10 { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    mailbox.index.limits = Self.limits(2, share: 2)
    let (index, root) = (mailbox.index, mailbox)
    let writer = try Thread.spawn(name: "writer", stackSize: 8 << 20) {
      for round in 0..<40 {
        try? deliver(10 + round, to: root)
        // A message of the main, the middle or the recent database changes as well.
        let changed = [0, 7 + round, 9 + round][round % 3]
        if round > 6 {
          try? root.rename("INBOX/cur/\(changed):2,", "INBOX/cur/\(changed):2,S")
        }
        _ = try? index.scan(.nothing)
      }
    }
    var last = 0
    while last < 50 {
      let ids = try mailbox.ids("*")
      try #require(Set(ids).count == ids.count && ids.count >= last && ids.count >= 10)
      last = ids.count
    }
    writer.join()
    try expectAsBuiltAnew(mailbox)
  }

  /// A reader keeps its answers while the files that it reads are changed once.
  @Test func aReaderKeepsTheStateThatItOpened() throws {
    var mailbox = try Mailbox()
    for number in 0..<10 { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    mailbox.index.limits = Self.limits(2, share: 0)
    for number in 10..<15 {
      try deliver(number, to: mailbox)
      try mailbox.index.scan(.nothing)
    }
    let index = mailbox.index
    let other = mailbox
    try mailbox.reader.read { (snapshot) throws(IndexError) in
      let before = try snapshot.ids(.everything, .oldestFirst)
      do {
        try other.rename("INBOX/cur/11:2,", "INBOX/cur/11:2,S")
      } catch {
        throw .failed("\(error)")
      }
      _ = try index.scan(.nothing)
      let after = try snapshot.ids(.everything, .oldestFirst)
      #expect(after == before)
    }
    #expect(try mailbox.ids("tag:unread").count == 14)
  }

  /// An index as version 0.9.0 wrote it, with recent mail, when it had a main and a recent database only.
  @Test func anIndexOfTheFormerFormatIsTakenOver() throws {
    var mailbox = try Mailbox(subjects: .replies)
    let archive = Fixtures.path("Fixtures/index-4.tar.gz")
    _ = try Command.shell(
      "tar -xzf \"$1\" --strip-components=1 -C \"$2\"",
      [archive, mailbox.root]
    )
    let before = try mailbox.everything()
    #expect(before.count == 7)
    #expect(try mailbox.count("*") == 12)
    #expect(try pointer(mailbox) == "0 1\n1 2\n")
    #expect(try mailbox.ids("-tag:unread") == ["1@x", "3@x", "6@x", "9@x"])
    mailbox.index.subjects = nil
    let report = try mailbox.index.scan()
    #expect(!report.isMadeAnew && report.added == 0)
    #expect(try mailbox.everything() == before)
    mailbox.index.limits = Self.limits(3, share: 0)
    for number in 13..<20 {
      try deliver(number, to: mailbox)
      let report = try mailbox.index.scan(.nothing)
      #expect(!report.isMadeAnew && report.added == 1)
    }
    try mailbox.rename("INBOX/cur/11:2,", "INBOX/cur/11:2,S")
    try mailbox.index.scan(.nothing)
    #expect(try mailbox.index.place.currentGeneration() == 1)
    #expect(try mailbox.count("*") == 19)
    #expect(try mailbox.count("everywhere") == 12)
    try expectAsBuiltAnew(mailbox)
  }

  // MARK: Mail

  private func deliver(_ number: Int, to mailbox: Mailbox, answering parents: Int...) throws {
    var lines = [
      "Message-ID: <\(number)@x>", "Subject: about \(number)",
      "Date: \(1 + number / 40) Jul 2026 10:\(10 + number % 40):00 +0000",
    ]
    if !parents.isEmpty {
      lines.append("References: \(parents.map { "<\($0)@x>" }.joined(separator: " "))")
    }
    lines += ["", "number\(number)", ""]
    try mailbox.write("INBOX/cur/\(number):2,", Array(lines.joined(separator: "\n").utf8))
  }

  private func expectAsBuiltAnew(
    _ mailbox: Mailbox,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try mailbox.everything()
    #expect(try mailbox.index.check().report == [], sourceLocation: sourceLocation)
    try mailbox.index.build()
    #expect(try mailbox.everything() == found, sourceLocation: sourceLocation)
  }

  /// What says which databases belong to the main one.
  private func pointer(_ mailbox: Mailbox) throws -> String {
    let number = try mailbox.index.place.currentGeneration() ?? 0
    return Files.text("\(mailbox.root)/.magnum/index/gen-\(number)/recent") ?? ""
  }
}
