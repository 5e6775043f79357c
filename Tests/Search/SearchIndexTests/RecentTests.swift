import Octets
import Platform
import SearchIndex
import TestSupport
import Testing

/// New mail lies in a small database beside the main one: nobody can tell by the answers.
@Suite struct RecentTests {
  @Test func newMailLeavesTheMainDatabaseAlone() throws {
    let mailbox = try Mailbox()
    for number in 0..<20 { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    let before = try main(mailbox)
    for number in 20..<25 {
      try deliver(number, to: mailbox, answering: number - 20)
      try mailbox.index.scan(.nothing)
    }
    #expect(try main(mailbox) == before)
    #expect(try mailbox.count("*") == 25)
    #expect(try mailbox.ids("number22") == ["22@x"])
    #expect(try mailbox.threads("id:22@x").map(\.messages.count) == [2])
    // The one that is read, the one before it, and one to spare.
    #expect(try recents(mailbox) <= 3)
    #expect(try mailbox.index.check().report == [])
  }

  @Test func mainAndRecentMailChangeTogether() throws {
    let mailbox = try Mailbox()
    for number in 0..<10 { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    for number in 10..<14 { try deliver(number, to: mailbox) }
    try mailbox.index.scan(.nothing)
    try mailbox.rename("INBOX/cur/3:2,", "Archive/cur/3:2,FS")
    try mailbox.rename("INBOX/cur/11:2,", "Archive/cur/11:2,S")
    try mailbox.remove("INBOX/cur/4:2,")
    try mailbox.remove("INBOX/cur/12:2,")
    // Joins a thread of either database.
    try deliver(14, to: mailbox, answering: 5, 13)
    try mailbox.index.scan(.nothing)
    try expectAsBuiltAnew(mailbox)
    #expect(try mailbox.ids("folder:Archive") == ["11@x", "3@x"])
    #expect(try mailbox.threads("id:14@x").map(\.messages.count) == [3])
    // The last recent mail goes: so does its database.
    for number in [10, 13, 14] { try mailbox.remove("INBOX/cur/\(number):2,") }
    try mailbox.remove("Archive/cur/11:2,S")
    try mailbox.index.scan(.nothing)
    #expect(try mailbox.count("*") == 9)
    try expectAsBuiltAnew(mailbox)
  }

  @Test func muchNewMailMakesTheDatabasesOne() throws {
    let mailbox = try Mailbox()
    for number in 0..<300 { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    let before = try main(mailbox)
    for number in 300..<700 { try deliver(number, to: mailbox, answering: number % 300) }
    try mailbox.index.scan(.nothing)
    for number in 700..<900 { try deliver(number, to: mailbox, answering: number % 300) }
    try mailbox.index.scan(.nothing)
    // The first ones were too many to be a part of the middle one.
    #expect(try main(mailbox) == before)
    #expect(try mailbox.index.place.currentGeneration() == 2)
    #expect(try mailbox.count("*") == 900)
    #expect(try mailbox.ids("number650") == ["650@x"])
    #expect(try mailbox.index.check().report == [])
    try deliver(900, to: mailbox)
    try mailbox.index.scan(.nothing)
    #expect(try mailbox.count("*") == 901)
    try expectAsBuiltAnew(mailbox)
  }

  @Test(arguments: [0, 6]) func compactionTakesBoth(_ old: Int) throws {
    let mailbox = try Mailbox()
    for number in 0..<old { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    for number in old..<(old + 3) { try deliver(number, to: mailbox) }
    try mailbox.index.scan(.nothing)
    let before = try mailbox.everything()
    #expect(before.count == old + 3)
    try mailbox.index.compact()
    #expect(try mailbox.everything() == before)
    #expect(try mailbox.index.scan(.nothing).isQuiet)
    try mailbox.rename("INBOX/cur/\(old):2,", "INBOX/cur/\(old):2,S")
    try mailbox.index.scan(.nothing)
    #expect(try mailbox.ids("-tag:unread") == ["\(old)@x"])
    #expect(try mailbox.index.check().report == [])
  }

  /// A term of all documents of one part, with gaps in it, is what Xapian 1.4.22 stumbles over.
  @Test func aWordOfAllMailButTheRecent() throws {
    let mailbox = try Mailbox()
    for number in 0..<400 { try deliver(number, to: mailbox, text: "everywhere") }
    try mailbox.index.build()
    for number in 3..<20 { try mailbox.remove("INBOX/cur/\(number):2,") }
    try mailbox.index.scan(.nothing)
    for number in 400..<403 { try deliver(number, to: mailbox, text: "elsewhere") }
    try mailbox.index.scan(.nothing)
    try mailbox.remove("INBOX/cur/401:2,")
    try mailbox.index.scan(.nothing)
    #expect(try mailbox.count("everywhere") == 383)
    #expect(try mailbox.count("elsewhere") == 2)
    #expect(try mailbox.count("not everywhere") == 2)
    #expect(try mailbox.count("every*") == 383)
    #expect(try mailbox.count("subject:/1/ and everywhere") > 10)
    #expect(try mailbox.ids("subject:/40/ and elsewhere") == ["400@x", "402@x"])
  }

  /// Each answer is that of one moment: all of what was there, nothing twice.
  @Test func readersSeeWholeChanges() throws {
    let mailbox = try Mailbox()
    for number in 0..<10 { try deliver(number, to: mailbox) }
    try mailbox.index.build()
    let writer = try Thread.spawn(name: "writer", stackSize: 8 << 20) {
      for round in 0..<40 {
        // One more in the recent database, and every other time a change of the main one with it.
        try? deliver(10 + round, to: mailbox)
        if round % 2 == 1 { try? flag(round, mailbox) }
        _ = try? mailbox.index.scan(.nothing)
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

  private func flag(_ round: Int, _ mailbox: Mailbox) throws {
    let (old, new) = round % 4 == 1 ? ("", "S") : ("S", "")
    try mailbox.rename("INBOX/cur/0:2,\(old)", "INBOX/cur/0:2,\(new)")
  }

  private func deliver(
    _ number: Int,
    to mailbox: Mailbox,
    answering parents: Int...,
    text: String = ""
  ) throws {
    var lines = [
      "Message-ID: <\(number)@x>", "Subject: about \(number)",
      // Answers are later than what they answer: a thread keeps its oldest message, and with it its name.
      "Date: \(1 + number / 40) Jul 2026 10:\(10 + number % 40):00 +0000",
    ]
    if !parents.isEmpty {
      lines.append("References: \(parents.map { "<\($0)@x>" }.joined(separator: " "))")
    }
    lines += ["", "number\(number) \(text)", ""]
    try mailbox.write("INBOX/cur/\(number):2,", Array(lines.joined(separator: "\n").utf8))
  }

  private func expectAsBuiltAnew(_ mailbox: Mailbox) throws {
    let found = try mailbox.everything()
    #expect(try mailbox.index.check().report == [])
    try mailbox.index.build()
    #expect(try mailbox.everything() == found)
  }

  /// What tells whether the main database was written to.
  private func main(_ mailbox: Mailbox) throws -> [UInt8]? {
    let file = "\(mailbox.root)/.magnum/index/gen-1/iamglass"
    return try FileSystem.readFile(Path(file), limit: 100_000)
  }

  private func recents(_ mailbox: Mailbox) throws -> Int {
    var count = 0
    try FileSystem.entries(of: Path("\(mailbox.root)/.magnum/index/gen-1")) { name, kind in
      if kind == .directory, name.starts(with: Array("recent-".utf8)) { count += 1 }
    }
    return count
  }
}
