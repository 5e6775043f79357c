import Platform
import Query
import SearchIndex
import TestSupport
import Testing

/// An index that another one has replaced goes once no search can be reading it.
@Suite struct ReplacedGenerationTests {
  private let mailbox: Mailbox

  init() throws {
    mailbox = try Mailbox()
    try mailbox.write("INBOX/cur/1:2,S", Array("Message-ID: <1@x>\n\none\n".utf8))
    try mailbox.index.build()
  }

  private var generations: [String] {
    Files.names(in: mailbox.index.place.directory.display)
      .map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("gen-") }.sorted()
  }

  /// As if the current index had been made so many seconds ago.
  private func age(_ seconds: Int) throws {
    let current = "\(mailbox.index.place.directory.display)/current"
    let outcome = try Command("touch", ["-d", "-\(seconds) seconds", current]).run()
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func itStaysForTenMinutes() throws {
    try mailbox.index.compact()
    #expect(generations == ["gen-1", "gen-2"])
    try mailbox.index.scan()
    #expect(generations == ["gen-1", "gen-2"])
    try age(590)
    try mailbox.index.scan()
    #expect(generations == ["gen-1", "gen-2"])
    try age(610)
    try mailbox.index.scan()
    #expect(generations == ["gen-2"])
    #expect(try mailbox.ids("one") == ["1@x"])
  }

  @Test func oneOfSeveralStays() throws {
    for _ in 0..<3 { try mailbox.index.compact() }
    try mailbox.index.scan()
    #expect(generations == ["gen-3", "gen-4"])
    try age(610)
    try mailbox.index.build()
    #expect(generations == ["gen-4", "gen-5"])
  }

  /// A search that began with the index that goes answers from the one in its place.
  @Test func aSearchGoesOnWithTheNextOne() throws {
    try mailbox.index.compact()
    var attempts = 0
    let count = try mailbox.reader.read { (snapshot) throws(IndexError) in
      attempts += 1
      if attempts == 1 { throw IndexError.damaged("gone") }
      return try snapshot.count(.everything)
    }
    #expect(count == 1 && attempts == 2)
  }
}
