internal import Octets

/// The name of an entry: its place in the queue, and what keeps two of the same place apart.
///
/// `1795228333000000.9f3a1c2e`: microseconds since 1970 in 16 digits, so that names sort by age,
/// and 32 random bits. What was split off an entry has its name and a number behind it: `….1`.
package struct EntryID: Hashable, Comparable, Sendable {
  /// The name as a file has it.
  package let octets: [UInt8]

  /// The latest place there is: 16 digits hold no later one.
  package static let latest: UInt64 = 9_999_999_999_999_999

  /// A name; places later than `latest` become that.
  package init(microseconds: UInt64, random: UInt32) {
    let digits = [UInt8](decimal: min(microseconds, Self.latest))
    let padding = [UInt8](repeating: ASCII.zero, count: 16 - digits.count)
    octets = padding + digits + [ASCII.dot] + Hex.digits(UInt64(random)).suffix(8)
  }

  /// The name that these octets are; `nil` when they are none.
  package init?(_ octets: some Collection<UInt8>) {
    let octets = [UInt8](octets)
    let parts = octets.split(separator: ASCII.dot, omittingEmptySubsequences: false)
    guard (2...32).contains(parts.count), parts[0].count == 16,
      parts[0].allSatisfy(ASCII.isDigit), Self.isRandom(parts[1]),
      parts.dropFirst(2).allSatisfy(Self.isNumber)
    else { return nil }
    self.octets = octets
  }

  /// The place in the queue, in microseconds since 1970.
  package var microseconds: UInt64 {
    var cursor = Cursor(octets)
    return cursor.decimal() ?? 0
  }

  /// The name of what is split off this entry as the `number`th, from 1; `nil` when it was split
  /// too often already.
  package func child(_ number: Int) -> EntryID? {
    EntryID(octets + [ASCII.dot] + [UInt8](decimal: number))
  }

  /// The name of another version of this entry, in its place.
  ///
  /// It is that of something split off where this one is, or where `isSplitOff` says that others have the message.
  package func version(random: UInt32, isSplitOff: Bool) -> EntryID {
    let first = EntryID(microseconds: microseconds, random: random)
    var part = [UInt8](octets.dropFirst(first.octets.count))
    if isSplitOff, part.isEmpty { part = [ASCII.dot, ASCII.zero + 1] }
    return EntryID(first.octets + part) ?? first
  }

  /// Whether the octets are a part of the name; none are one of any.
  package func contains(_ text: [UInt8]) -> Bool {
    guard !text.isEmpty, text.count <= octets.count else { return text.isEmpty }
    return (0...(octets.count - text.count)).contains { octets[$0...].starts(with: text) }
  }

  /// Whether it is the name of what was split off another entry, or of a version of that: others have the message.
  package var isSplitOff: Bool { octets.count { $0 == ASCII.dot } > 1 }

  package static func < (left: EntryID, right: EntryID) -> Bool {
    left.octets.lexicographicallyPrecedes(right.octets)
  }

  private static func isRandom(_ part: ArraySlice<UInt8>) -> Bool {
    part.count == 8 && part.allSatisfy { Hex.nibble($0) != nil }
      && part.allSatisfy { ASCII.lowercased($0) == $0 }
  }

  private static func isNumber(_ part: ArraySlice<UInt8>) -> Bool {
    (1...4).contains(part.count) && part.first != ASCII.zero && part.allSatisfy(ASCII.isDigit)
  }
}

extension EntryID: CustomStringConvertible {
  package var description: String { String(decoding: octets, as: UTF8.self) }
}
