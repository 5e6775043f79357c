import MailModel
import Octets
import Query
import SearchIndex
import TestSupport
import Testing
import Threads

/// 2,000 messages whose threads, words, flags and folders are known: answers equal the truth.
@Suite struct TruthTests {
  private struct Letter {
    let number: Int
    let thread: Int
    let folder: String
    let flags: String
    let words: [String]
    let copies: Int
  }

  private static let vocabulary = (0..<400).map { "word\(String($0, radix: 5))x" }

  @Test func answersEqualTheTruth() throws {
    let mailbox = try Mailbox(subjects: .off)
    let letters = try write(2000, to: mailbox)
    try mailbox.index.build()
    #expect(try mailbox.count("*") == letters.count)
    for word in Self.vocabulary.prefix(40) {
      let wanted = letters.filter { $0.words.contains(word) }.map { "t\($0.number)@x" }.sorted()
      #expect(try mailbox.ids(word) == wanted)
      let both = letters.filter { $0.words.contains(word) && $0.flags.contains("F") }.count
      #expect(try mailbox.count("\(word) and tag:flagged") == both)
      #expect(try mailbox.count("\(word) -tag:flagged") == wanted.count - both)
    }
    for folder in Set(letters.map(\.folder)) {
      #expect(try mailbox.count("folder:\(folder)") == letters.filter { $0.folder == folder }.count)
    }
    #expect(try mailbox.count("tag:unread") == letters.filter { !$0.flags.contains("S") }.count)
    #expect(try mailbox.count("folder:Copies") == letters.filter { $0.copies > 0 }.count)
    try expectThreads(letters, mailbox)
  }

  /// Who wants a few gets the beginning of what he gets who wants all, whatever came late or went.
  @Test func theNewestAreTheFirstOfAll() throws {
    let mailbox = try Mailbox(subjects: .off)
    _ = try write(2000, to: mailbox)
    for number in 0..<40 {
      // Dated long before all others, and long after them.
      let year = number % 2 == 0 ? 1999 : 2037
      try mailbox.write(
        "INBOX/cur/odd\(number):2,",
        Array("Message-ID: <odd\(number)@x>\nDate: 1 Jan \(year) 00:00 +0000\n\nword0x\n".utf8)
      )
    }
    try mailbox.index.build()
    try expectNewest(mailbox)
    for number in 0..<30 {
      let year = number % 3 == 0 ? 1998 : 2038
      try mailbox.write(
        "INBOX/new/late\(number)",
        Array("Message-ID: <late\(number)@x>\nDate: 2 Jan \(year) 00:00 +0000\n\nword0x\n".utf8)
      )
      try mailbox.remove("INBOX/cur/odd\(number):2,")
    }
    try mailbox.index.scan(.nothing)
    try expectNewest(mailbox)
    try mailbox.index.compact()
    try expectNewest(mailbox)
  }

  private func expectNewest(_ mailbox: Mailbox) throws {
    for text in ["*", "word0x", "-word0x", "tag:unread", "word0x or word1x", "subject:nothing"] {
      let query = try QueryParser.parse(Array(text.utf8), Mailbox.dates)
      try mailbox.reader.read { (snapshot) throws(IndexError) in
        let all = try snapshot.ids(query, .newestFirst).map(\.id)
        for (offset, limit) in [
          (0, 1), (0, 20), (5, 40), (0, 90), (30, 400), (0, 545), (5, 545), (10, 900),
        ] {
          let page = try snapshot.messages(query, .newestFirst, offset: offset, limit: limit)
          let some = page.map(\.id)
          #expect(some == Array(all.dropFirst(offset).prefix(limit)), "\(text) \(offset) \(limit)")
        }
      }
    }
  }

  private func expectThreads(_ letters: [Letter], _ mailbox: Mailbox) throws {
    var wanted: [Int: Set<String>] = [:]
    for letter in letters { wanted[letter.thread, default: []].insert("t\(letter.number)@x") }
    let found = try mailbox.threads("*").map { thread in
      Set(thread.messages.map { String(decoding: $0.id, as: UTF8.self) })
    }
    #expect(Set(found) == Set(wanted.values))
  }

  /// Writes messages; those of a thread refer to some of it in the ways that programs have.
  private func write(_ count: Int, to mailbox: Mailbox) throws -> [Letter] {
    var generator = SeededGenerator(seed: 42)
    var letters: [Letter] = []
    var threads: [[Int]] = []
    for number in 0..<count {
      let thread =
        threads.isEmpty || Int.random(in: 0..<4, using: &generator) == 0
        ? threads.count : Int.random(in: 0..<threads.count, using: &generator)
      if thread == threads.count { threads.append([]) }
      let letter = Letter(
        number: number,
        thread: thread,
        folder: ["INBOX", "Archive/a", "Archive/b", "Sent"][
          Int.random(in: 0..<4, using: &generator)
        ],
        flags: ["", "S", "FS", "F", "RS"][Int.random(in: 0..<5, using: &generator)],
        words: (0..<12).compactMap { _ in Self.vocabulary.randomElement(using: &generator) },
        copies: Int.random(in: 0..<40, using: &generator) == 0 ? 1 : 0
      )
      let text = text(letter, threads[thread], &generator)
      try mailbox.write("\(letter.folder)/cur/\(number):2,\(letter.flags)", Array(text.utf8))
      if letter.copies > 0 {
        try mailbox.write("Copies/cur/c\(number):2,\(letter.flags)", Array(text.utf8))
      }
      threads[thread].append(number)
      letters.append(letter)
    }
    return letters
  }

  private func text(_ letter: Letter, _ thread: [Int], _ generator: inout SeededGenerator) -> String
  {
    let ids = thread.map { "<t\($0)@x>" }
    var lines = [
      "From: Somebody <s\(letter.number % 17)@example.org>", "Subject: about \(letter.thread)",
      "Message-ID: <t\(letter.number)@x>",
      "Date: \(1 + letter.number % 28) Jul 2026 10:00:00 +0000",
    ]
    let parent = ids.randomElement(using: &generator)
    if let parent {
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: lines.append("In-Reply-To: \(parent)")
      case 1: lines.append("In-Reply-To: Your message of Monday \(parent)")
      case 2: lines.append("References: \(ids.reversed().joined(separator: " "))")
      case 3: lines.append("References: \(ids.joined(separator: ","))")
      case 4: lines.append("References: \(ids.joined(separator: "\n\t"))")
      case 5: lines.append("References: \(parent) <t\(letter.number)@x> \(parent)")
      default: lines += ["References: \(parent)", "In-Reply-To: \(parent)"]
      }
    }
    return (lines + ["", letter.words.joined(separator: " "), ""]).joined(separator: "\n")
  }
}
