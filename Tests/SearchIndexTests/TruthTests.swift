import Octets
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
