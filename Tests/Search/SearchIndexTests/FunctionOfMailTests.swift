import Maildir
import Query
import SearchIndex
import TestSupport
import Testing

/// The index is a function of the mail: in whatever order files came and went, it answers as one made anew.
@Suite struct FunctionOfMailTests {
  /// A file of one of few messages, as it came one way or another.
  private struct Letter {
    let path: String
    let octets: [UInt8]
  }

  /// Copies of few messages, which differ in what lists, relays and senders did to their headers.
  private static func letters(_ generator: inout SeededGenerator) -> [Letter] {
    (0..<24).map { number in
      let id = Int.random(in: 0..<7, using: &generator)
      var lines = [
        "From: Writer <w@x.org>", "To: list@x.org, first@x.org", "Message-ID: <\(id)@x>",
      ]
      let way = Int.random(in: 0..<5, using: &generator)
      lines +=
        [
          ["Bcc: secret@x.org"],
          ["List-Id: Swift <swift.x.org>", "Received: by a; Mon, 1 Jun 2026"],
          ["Cc: added@x.org", "To: second@x.org"], ["List-Id: <dev.x.org>", "Sender: relay@x.org"],
          [],
        ][way]
      lines.append("Subject: \(way == 1 ? "[swift] " : "")topic \(id % 3)")
      lines.append("Date: \(1 + id) Jul 2026 10:00:00 +0000")
      let answered = [nil, 0, nil, 1, 0, 9, 9][id]
      if let answered { lines.append("In-Reply-To: <\(answered)@x>") }
      lines += ["", "body \(id)", ""]
      let folder = ["INBOX", "Lists/a", "Sent"][Int.random(in: 0..<3, using: &generator)]
      return Letter(
        path: "\(folder)/cur/\(number):2,S",
        octets: Array(lines.joined(separator: "\n").utf8)
      )
    }
  }

  private static let queries = [
    "list:dev.x.org", "list:swift", "has:list", "cc:added", "to:secret", "to:first", "to:second",
    "from:relay",
    "subject:swift", "subject:topic", "size:200..", "contact:added", "body", "thread:{list:dev}",
    "ref:0@x",
    "related:9@x",
  ]

  private static func answers(_ mailbox: Mailbox, names: Bool = true) throws -> [String] {
    try mailbox.everything(names: names) + queries.map { "\($0): \(try mailbox.ids($0))" }
  }

  @Test(arguments: 1...20) func anyOrderGivesTheSame(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let letters = Self.letters(&generator)
    let kept = Set((0..<16).compactMap { _ in letters.indices.randomElement(using: &generator) })
    let made = try Mailbox()
    for place in kept.sorted() { try made.write(letters[place].path, letters[place].octets) }
    try made.index.build()
    let wanted = try Self.answers(made)
    let mailbox = try Mailbox()
    try mailbox.index.scan()
    // All come, some of them under another name; those that are not kept go at some time, and some come twice.
    var steps =
      letters.indices.map { ($0, true) }
      + letters.indices.filter { !kept.contains($0) }.map { ($0, false) }
    steps.shuffle(using: &generator)
    var there: Set<Int> = []
    var changes: [MaildirChange] = []
    for (place, isComing) in steps where isComing || there.contains(place) {
      let (folder, file) = Mailbox.place(letters[place].path)
      if isComing {
        try mailbox.write(letters[place].path, letters[place].octets)
        there.insert(place)
        changes.append(.added(folder: folder, file))
      } else {
        try mailbox.remove(letters[place].path)
        there.remove(place)
        changes.append(.removed(folder: folder, file))
      }
      if Int.random(in: 0..<3, using: &generator) == 0 {
        try mailbox.index.apply(changes)
        changes = []
      }
    }
    for place in there where !kept.contains(place) {
      let (folder, file) = Mailbox.place(letters[place].path)
      try mailbox.remove(letters[place].path)
      changes.append(.removed(folder: folder, file))
    }
    try mailbox.index.apply(changes)
    #expect(try Self.answers(mailbox) == wanted)
    #expect(try mailbox.index.check().faults == 0)
    try mailbox.index.compact()
    #expect(try Self.answers(mailbox) == wanted)
    try mailbox.index.build()
    #expect(try Self.answers(mailbox) == wanted)
  }

  /// Two machines have the same mail under other names of files, so that it came in another order: one at once, one bit by bit.
  @Test(arguments: 1...10) func otherNamesOfFilesGiveTheSame(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let letters = Self.letters(&generator)
    let one = try Mailbox()
    for letter in letters { try one.write(letter.path, letter.octets) }
    try one.index.build()
    let wanted = try Self.answers(one, names: false)
    let other = try Mailbox()
    try other.index.scan()
    for (place, letter) in letters.shuffled(using: &generator).enumerated() {
      let folder = letter.path.split(separator: "/").dropLast(2).joined(separator: "/")
      try other.write("\(folder)/cur/\(100 + place):2,S", letter.octets)
      if place % 5 == 4 { try other.index.scan() }
    }
    try other.index.scan()
    #expect(try Self.answers(other, names: false) == wanted)
    try other.index.build()
    #expect(try Self.answers(other, names: false) == wanted)
  }

  /// Messages of one second come in an order of their own, whichever way they came, in pages and threads too.
  @Test(arguments: 1...5) func messagesOfOneSecondAreInOneOrder(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var orders: Set<[String]> = []
    for isBuilt in [false, true] {
      let mailbox = try Mailbox()
      for number in (0..<12).shuffled(using: &generator) {
        let text =
          "Message-ID: <\(number)@x>\nDate: 1 Jul 2026 10:00:0\(number % 2) +0000\n\nbody\n"
        try mailbox.write("INBOX/cur/\(number):2,", Array(text.utf8))
        if !isBuilt { try mailbox.index.scan() }
      }
      if isBuilt { try mailbox.index.build() }
      let found = try mailbox.reader.read { (snapshot) throws(IndexError) in
        let all = try snapshot.ids(.everything, .newestFirst)
        let oldest = try snapshot.ids(.everything, .oldestFirst)
        #expect(all == oldest.reversed())
        let page = try snapshot.messages(.everything, .newestFirst, offset: 3, limit: 4)
        #expect(page.map(\.id) == all[3..<7].map(\.id))
        let threads = try snapshot.threads(.everything, .newestFirst)
        #expect(threads.compactMap { $0.messages.first?.id } == all.map(\.id))
        return all.map { String(decoding: $0.id, as: UTF8.self) }
      }
      orders.insert(found)
    }
    #expect(orders.count == 1)
  }

  /// One's own mail to a list: the copy in Sent comes first, that of the list later.
  @Test func aCopyFromAListIsFoundByTheList() throws {
    let mailbox = try Mailbox()
    let header = "From: me@x.org\nTo: l@l.org\nSubject: p\nMessage-ID: <p@x>\n"
    try mailbox.write("Sent/cur/1:2,S", Array("\(header)Bcc: hidden@x.org\n\nhello\n".utf8))
    try mailbox.index.scan()
    try mailbox.write(
      "Lists/cur/2:2,S",
      Array("\(header)List-Id: <dev.l.org>\nCc: added@l.org\n\nhello\n".utf8)
    )
    try mailbox.index.scan()
    for query in ["list:dev", "has:list", "cc:added", "to:hidden"] {
      #expect(try mailbox.count(query) == 1, "\(query)")
    }
    try mailbox.remove("Lists/cur/2:2,S")
    try mailbox.index.scan()
    #expect(try mailbox.count("list:dev") == 0 && mailbox.count("cc:added") == 0)
    #expect(try mailbox.count("to:hidden") == 1)
  }

  /// A name that a thread had before its oldest message came or went.
  @Test func formerNamesOfThreadsLeadToThem() throws {
    let mailbox = try Mailbox()
    try mailbox.write(
      "INBOX/cur/2:2,S",
      Array("Message-ID: <2@x>\nIn-Reply-To: <1@x>\nDate: 2 Jul 2026\n\n".utf8)
    )
    try mailbox.index.scan()
    let former = try #require(try mailbox.threads("*").first?.id)
    try mailbox.write("INBOX/cur/1:2,S", Array("Message-ID: <1@x>\nDate: 1 Jul 2026\n\n".utf8))
    try mailbox.index.scan()
    let name = try #require(try mailbox.threads("*").first?.id)
    #expect(name != former)
    #expect(try mailbox.count("thread:\(former)") == 2 && mailbox.count("thread:\(name)") == 2)
    try mailbox.remove("INBOX/cur/1:2,S")
    try mailbox.index.scan()
    #expect(try mailbox.threads("*").first?.id == former)
    #expect(try mailbox.count("thread:\(name)") == 1)
  }
}
