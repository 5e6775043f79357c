import MessageContent
import SyncPlan
import TestSupport
import Testing

/// What makes a message this message, and what does not.
@Suite struct ContentTests {
  /// A message that is read in two pieces, the first of so many octets.
  private static func contents(_ octets: [UInt8], cut: Int = 0) -> ContentReader.Contents {
    var reader = ContentReader(readsEssentials: true)
    octets[..<cut].withUnsafeBytes { reader.readOctets($0) }
    octets[cut...].withUnsafeBytes { reader.readOctets($0) }
    return reader.finishContents()
  }

  private static func read(_ octets: [UInt8]) -> ReadContent {
    let contents = contents(octets)
    return ReadContent(identity: contents.identity, former: contents.former)
  }

  @Test(arguments: try Fixtures.load("Fixtures/pairs.txt"))
  func pairs(_ fixture: Fixture) throws {
    let one = Self.contents(try fixture.octets("one"))
    let other = Self.contents(try fixture.octets("other"))
    let (first, second) = (one.identity, other.identity)
    let isText = first.bodyHigh == second.bodyHigh && first.bodyLow == second.bodyLow
    let found = [
      ("message-id", first.messageID == second.messageID),
      ("header", first.header == second.header), ("text", isText),
      ("essential", one.essential == other.essential),
    ]
    let equal = found.filter(\.1).map(\.0)
    #expect(equal == fixture.lines("equal"))
    #expect((first == second) == equal.starts(with: ["message-id", "header", "text"]))
  }

  @Test(arguments: try Fixtures.load("Fixtures/pairs.txt"))
  func piecesMakeNoDifference(_ fixture: Fixture) throws {
    let octets = try fixture.octets("other")
    let whole = Self.contents(octets)
    for cut in octets.indices {
      let parts = Self.contents(octets, cut: cut)
      #expect(parts.identity == whole.identity && parts.former == whole.former, "cut at \(cut)")
      #expect(parts.header == whole.header && parts.essential == whole.essential, "cut at \(cut)")
    }
  }

  /// Where the last line has no end, an older version recorded another identity, which the message has too.
  @Test func aRecordOfAnOlderVersionIsHeld() throws {
    let octets = Array("Message-ID: <a@x>\nSubject: s\n\ntext".utf8)
    let read = Self.read(octets)
    let former = try #require(read.former)
    #expect(former != read.identity)
    #expect(read.holds(read.identity) && read.holds(former))
    #expect(Self.read(octets + [10]).former == nil)
    let edited = Self.read(Array("Message-ID: <a@x>\nSubject: t\n\ntext".utf8)).identity
    #expect(!read.holds(edited) && read.holdsText(of: edited))
    let other = Self.read(Array("Message-ID: <a@x>\nSubject: s\n\ntexts".utf8)).identity
    #expect(!read.holds(other) && !read.holdsText(of: other))
  }

  @Test(arguments: [
    ("", 0, 0, false), ("a: b\n\ntext\n", 14, 8, false), ("a: b\r\n\r\ntext\r\n", 14, 8, false),
    ("a: b\n\nte\0t", 12, 8, true), ("a: b\n", 6, 6, false),
  ])
  func sizes(_ text: String, _ size: UInt64, _ header: UInt64, _ containsNUL: Bool) {
    var reading = ContentReading()
    reading.readOctets(Array(text.utf8)[...])
    let facts = reading.finish()
    #expect(facts.wireSize == size && facts.header.size == header)
    #expect(facts.containsNUL == containsNUL)
  }
}
