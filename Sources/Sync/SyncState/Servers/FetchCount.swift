internal import Octets
package import Platform
package import SyncPlan

/// What was fetched of an account in a day, and what was left for another, as a file in the state home.
///
/// The file `fetched` has a title, a line `day` with the day and the octets, a line `left` with messages and octets, and a checksum.
package struct FetchCount: Hashable, Sendable {
  private static let title = TextFile.Title("magnum-fetched", version: 1)
  private static let sizeLimit = 1 << 12
  /// More was never fetched in a day.
  private static let octetLimit: UInt64 = 1 << 60

  package var fetched: DailyLimit.Count
  /// The messages that the last sync left for another day.
  package var leftMessages: UInt64
  /// Their octets, as far as the server told their sizes.
  package var leftOctets: UInt64

  package init(_ fetched: DailyLimit.Count, leftMessages: UInt64 = 0, leftOctets: UInt64 = 0) {
    self.fetched = fetched
    self.leftMessages = leftMessages
    self.leftOctets = leftOctets
  }

  /// That of an account, by its directory in the state home; nil where there is none, or none that can be read.
  package init?(_ memory: Path) {
    let octets = (try? FileSystem.readFile(Self.file(memory), limit: Self.sizeLimit)) ?? nil
    guard let octets, let count = Self.decode(octets) else { return nil }
    self = count
  }

  /// Replaces the file; durable when it returns.
  package func save(_ memory: Path) throws(SystemError) {
    try FileSystem.makeDirectories(memory)
    try AtomicFile.replace(Self.file(memory), with: encoded)
  }

  private static func file(_ memory: Path) -> Path { memory.appending("fetched") }

  // MARK: Text

  /// The whole file.
  package var encoded: [UInt8] {
    var (day, left) = (LineWriter(), LineWriter())
    day.word("day")
    day.number(fetched.day)
    day.number(fetched.octets)
    left.word("left")
    left.number(leftMessages)
    left.number(leftOctets)
    let lines = [Self.title.octets, day.octets, left.octets]
    return TextFile.seal(lines.flatMap { $0 + [ASCII.lineFeed] })
  }

  /// The count of a file; nil where it is not whole, or of another version.
  package static func decode(_ octets: [UInt8]) -> FetchCount? {
    guard let body = try? TextFile.open(octets, title: title) else { return nil }
    let lines = body.split(separator: ASCII.lineFeed)
    guard lines.count == 2, let day = numbers(lines[0], "day"),
      let left = numbers(lines[1], "left"),
      let number = Int64(exactly: day.0), day.1 <= octetLimit
    else { return nil }
    return FetchCount(
      DailyLimit.Count(day: number, octets: day.1),
      leftMessages: left.0,
      leftOctets: left.1
    )
  }

  private static func numbers(_ line: ArraySlice<UInt8>, _ word: String) -> (UInt64, UInt64)? {
    var reader = LineReader(line)
    guard reader.word()?.elementsEqual(word.utf8) == true, let first = reader.number(UInt64.self),
      let second = reader.number(UInt64.self), reader.isAtEnd
    else { return nil }
    return (first, second)
  }
}
