/// A place in a run of octets that moves forward as they are read.
///
/// A method that finds nothing to take returns `nil` or `false` and leaves the cursor where it was.
@usableFromInline
package struct Cursor: Sendable {
  /// What was not read yet, a slice of the original octets.
  @usableFromInline
  package internal(set) var remaining: ArraySlice<UInt8>

  /// A cursor before the first of the octets.
  @inlinable
  package init(_ octets: ArraySlice<UInt8>) {
    remaining = octets
  }

  /// A cursor before the first of the octets.
  @inlinable
  package init(_ octets: [UInt8]) {
    remaining = octets[...]
  }

  /// Whether all octets were read.
  @inlinable
  package var isAtEnd: Bool { remaining.isEmpty }

  /// The next octet, left in place; `nil` at the end.
  @inlinable
  package var peek: UInt8? { remaining.first }

  /// Reads one octet; `nil` at the end.
  @inlinable
  package mutating func next() -> UInt8? {
    remaining.popFirst()
  }

  /// Reads all octets that fulfil the condition, up to the first that does not; possibly none.
  @inlinable
  package mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let end = remaining.firstIndex { !condition($0) } ?? remaining.endIndex
    return take(to: end)
  }

  /// Reads the octets before the next `octet`, which itself stays; `nil` when there is none.
  @inlinable
  package mutating func take(upTo octet: UInt8) -> ArraySlice<UInt8>? {
    remaining.firstIndex(of: octet).map { take(to: $0) }
  }

  /// Reads that many octets; `nil` when there are fewer.
  @inlinable
  package mutating func take(count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining.count else { return nil }
    return take(to: remaining.startIndex + count)
  }

  /// Reads everything that is left.
  @inlinable
  package mutating func takeAll() -> ArraySlice<UInt8> {
    take(to: remaining.endIndex)
  }

  /// Reads past the octet if it is the next one.
  @inlinable
  package mutating func skip(_ octet: UInt8) -> Bool {
    guard remaining.first == octet else { return false }
    remaining.removeFirst()
    return true
  }

  /// Reads past the literal if exactly its octets come next.
  @inlinable
  package mutating func skip(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard literal.withUTF8Buffer({ remaining.starts(with: $0) }) else { return false }
    remaining = remaining.dropFirst(length)
    return true
  }

  /// Reads a number of decimal digits; `nil` when there is no digit or the value exceeds 64 bits.
  @inlinable
  package mutating func decimal() -> UInt64? {
    var value: UInt64 = 0
    var index = remaining.startIndex
    while index < remaining.endIndex, ASCII.isDigit(remaining[index]) {
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(UInt64(remaining[index] - ASCII.zero))
      guard !overflow, !carry else { return nil }
      value = sum
      index += 1
    }
    guard index > remaining.startIndex else { return nil }
    remaining = remaining[index...]
    return value
  }

  @inlinable
  mutating func take(to end: Int) -> ArraySlice<UInt8> {
    defer { remaining = remaining[end...] }
    return remaining[..<end]
  }
}
