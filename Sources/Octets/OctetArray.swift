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
}
