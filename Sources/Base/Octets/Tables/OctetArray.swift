extension Array where Element == UInt8 {
  /// The octets of a literal written in the source.
  @inlinable
  package init(ascii: StaticString) {
    self = ascii.withUTF8Buffer { [UInt8]($0) }
  }

  /// The number in decimal digits, without leading zeros; a minus sign before negative ones.
  @inlinable
  package init(decimal number: some BinaryInteger) {
    self = []
    append(decimal: number)
  }

  /// Appends the octets of a literal written in the source.
  @inlinable
  package mutating func append(ascii: StaticString) {
    ascii.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends the number in decimal digits, as `init(decimal:)` writes it.
  @inlinable
  package mutating func append(decimal number: some BinaryInteger) {
    if number < 0 { append(ASCII.minus) }
    let start = count
    var rest = number.magnitude
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      append(ASCII.zero &+ UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest != 0
    self[start...].reverse()
  }

  /// The octets with each occurrence of `part`, which is not empty, replaced.
  package func replacing(_ part: [UInt8], with other: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = self[...]
    while rest.count >= part.count {
      if rest.starts(with: part) {
        result += other
        rest = rest.dropFirst(part.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result + rest
  }
}

extension UInt64 {
  /// The number that the first eight of the octets are, the highest first; fewer are those that come last.
  @inlinable
  package init(octets: some Sequence<UInt8>) {
    self = octets.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
