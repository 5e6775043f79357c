import CXapian
import MailModel
import Octets
import Platform
import Query
import SearchIndex
import TestSupport
import Testing

/// Senders, receivers and tags are listed without a look at the messages: they are those that the messages tell.
@Suite struct PeopleTests {
  private static let people = [
    "Ann <ann@x.org>", "\"Ann, B.\" <ann@x.org>", "bob@x.org", "Bob <BOB@x.org>", "Carol <c@x.org>",
    "undisclosed", "Z\u{F6}e <zoe@x.org>",
  ]

  private static let queries: [Query] = [
    .everything, .nothing, .exact(.tag, Array("unread".utf8)), .exact(.tag, Array("replied".utf8)),
    .word(Array("odd".utf8), nil, isExact: true), .not(.exact(.folder, Array("INBOX".utf8))),
    .beginning(Array("zo".utf8), .to),
  ]

  /// A few messages that come, go and change, in databases that soon become one.
  private func grow(_ mailbox: inout Mailbox, _ generator: inout SeededGenerator) throws {
    mailbox.index.limits.messages = 3
    mailbox.index.limits.share = 0
    var files: [String] = []
    for number in 0..<24 {
      let some = { (count: Int, generator: inout SeededGenerator) in
        (0..<Int.random(in: 0...count, using: &generator))
          .compactMap { _ in Self.people.randomElement(using: &generator) }
          .joined(separator: ", ")
      }
      let lines = [
        "Message-ID: <\(number)@x>", "From: \(some(2, &generator))", "To: \(some(3, &generator))",
        "Cc: \(some(2, &generator))", "Date: \(1 + number) Jul 2026 10:00:00 +0000",
        "Subject: \(number)", "", number % 2 == 0 ? "even" : "odd", "",
      ]
      let folder = ["INBOX", "Sent"][Int.random(in: 0..<2, using: &generator)]
      let flags = ["", "S", "RS", "F"][Int.random(in: 0..<4, using: &generator)]
      let path = "\(folder)/cur/\(number):2,\(flags)"
      try mailbox.write(path, Array(lines.joined(separator: "\n").utf8))
      files.append(path)
      if number % 4 == 3 {
        let gone = files.remove(at: Int.random(in: files.indices, using: &generator))
        try mailbox.remove(gone)
      }
      if number == 7 { try mailbox.index.build() }
      if number > 7, number % 2 == 1 { try mailbox.index.scan(.nothing) }
    }
  }

  @Test(arguments: 1...6) func theyAreThoseOfTheMessages(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mailbox = try Mailbox()
    try grow(&mailbox, &generator)
    try expectAsMessagesTell(mailbox)
    try mailbox.index.compact()
    try expectAsMessagesTell(mailbox)
  }

  @Test(arguments: 1...6) func tagsAreThoseOfTheMessages(_ seed: UInt64) throws {
    var world = try RandomMail(seed: seed)
    try world.mailbox.index.build()
    for _ in 0..<10 {
      try world.mailbox.index.apply(try world.change(3))
      try expectAsMessagesTell(world.mailbox)
    }
  }

  /// Of an index that a former version made, the messages themselves are asked.
  @Test func thoseOfAFormerVersionToo() throws {
    var mailbox = try Mailbox(subjects: .replies)
    _ = try Command.shell(
      "tar -xzf \"$1\" --strip-components=1 -C \"$2\"",
      [Fixtures.path("Fixtures/index-4.tar.gz"), mailbox.root]
    )
    try expectAsMessagesTell(mailbox)
    mailbox.index.subjects = nil
    let text = "Message-ID: <13@x>\nFrom: Writer 1 <writer1@example.org>\nTo: c@x.org\n\nx\n"
    try mailbox.write("INBOX/cur/13:2,", Array(text.utf8))
    try mailbox.index.scan()
    try expectAsMessagesTell(mailbox)
  }

  /// An index that was made one keeps nothing of people who are in no message.
  @Test func whoIsInNoMessageIsForgotten() throws {
    let mailbox = try Mailbox()
    for (number, name) in ["left", "gone"].enumerated() {
      let text = "Message-ID: <\(number)@x>\nFrom: \(name)@x.org\n\nx\n"
      try mailbox.write("INBOX/cur/\(number):2,", Array(text.utf8))
    }
    try mailbox.index.build()
    try mailbox.remove("INBOX/cur/1:2,")
    try mailbox.index.scan(.nothing)
    #expect(try metadata("people:0", mailbox, generation: 1).contains("gone@x.org"))
    try mailbox.index.compact()
    let kept = try metadata("people:0", mailbox, generation: 2)
    #expect(kept.contains("left@x.org") && !kept.contains("gone"))
    // Who comes back has a number again.
    let text = "Message-ID: <2@x>\nFrom: gone@x.org\nTo: left@x.org\n\nx\n"
    try mailbox.write("INBOX/cur/2:2,", Array(text.utf8))
    try mailbox.index.scan(.nothing)
    try expectAsMessagesTell(mailbox)
  }

  private func metadata(_ key: String, _ mailbox: Mailbox, generation: Int) throws -> String {
    var error = magnum_index_error()
    let path = "\(mailbox.root)/.magnum/index/gen-\(generation)"
    let database = try #require(magnum_index_open(path, MAGNUM_INDEX_READ, &error))
    defer { magnum_index_close(database) }
    var octets = magnum_index_octets()
    #expect(magnum_index_metadata(database, MAGNUM_INDEX_ANY, key, &octets, &error))
    defer { magnum_index_octets_free(octets) }
    let given = UnsafeRawBufferPointer(start: octets.data, count: octets.size)
    return String(decoding: given, as: UTF8.self)
  }

  /// Compares what is told of people and tags with the messages.
  private func expectAsMessagesTell(
    _ mailbox: Mailbox,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for query in Self.queries {
      try mailbox.reader.read { (snapshot) throws(IndexError) in
        let newest = try snapshot.messages(query, .newestFirst)
        #expect(
          try snapshot.tags(of: query) == Set(newest.flatMap(\.tags)),
          "\(query)",
          sourceLocation: sourceLocation
        )
        for order in [SearchOrder.newestFirst, .oldestFirst] {
          let messages = order == .newestFirst ? newest : try snapshot.messages(query, order)
          for fields: PeopleFields in [.senders, .recipients, [.senders, .recipients]] {
            let found = try snapshot.people(of: query, order, fields)
            #expect(
              found.map { "\(Self.text($0.person)) \($0.count)" } == Self.count(messages, fields),
              "\(query) \(order)",
              sourceLocation: sourceLocation
            )
          }
        }
        let told = try snapshot.people(ofNewest: query, limit: 5)
        #expect(
          told.map(Self.text) == newest.prefix(5).map { Self.text(FoundPeople($0)) },
          "\(query)",
          sourceLocation: sourceLocation
        )
      }
    }
  }

  private static func count(_ messages: [FoundMessage], _ fields: PeopleFields) -> [String] {
    var (order, counts): ([Person], [Person: Int]) = ([], [:])
    for message in messages {
      let senders = fields.contains(.senders) ? message.from : []
      let recipients = fields.contains(.recipients) ? message.to + message.cc : []
      for person in senders + recipients {
        if counts[person] == nil { order.append(person) }
        counts[person, default: 0] += 1
      }
    }
    return order.map { "\(text($0)) \(counts[$0] ?? 0)" }
  }

  private static func text(_ person: Person) -> String {
    String(decoding: person.text, as: UTF8.self)
  }

  private static func text(_ people: FoundPeople) -> String {
    let lists = [people.from, people.to, people.cc].map { $0.map(text) }
    return "\(people.key) \(people.date) \(lists) \(people.isAnswered)"
  }
}
