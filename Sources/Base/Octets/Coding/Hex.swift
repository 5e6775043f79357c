/// Octets and 64-bit numbers in hexadecimal digits (RFC 4648 §8).
package enum Hex {
  /// The octets as two digits each, letters small.
  package static func encode(_ octets: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count * 2)
    for octet in [UInt8](octets) {
      result.append(digit(octet >> 4))
      result.append(digit(octet & 15))
    }
    return result
  }

  /// The octets that the digits stand for, letters of either case.
  ///
  /// `nil` for an odd number of digits or anything that is not a digit.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 2)
    var high: UInt8?
    for character in [UInt8](text) {
      guard let four = nibble(character) else { return nil }
      if let upper = high { result.append(upper << 4 | four) }
      high = high == nil ? four : nil
    }
    return result
  }

  /// The number as exactly 16 digits, letters small, leading zeros kept.
  package static func digits(_ number: UInt64) -> [UInt8] {
    (0..<16).map { digit(UInt8(truncatingIfNeeded: number >> (60 - 4 * $0)) & 15) }
  }

  /// The number that 1 to 16 digits stand for; `nil` for anything else.
  package static func value(_ text: ArraySlice<UInt8>) -> UInt64? {
    guard (1...16).contains(text.count) else { return nil }
    var result: UInt64 = 0
    for character in text {
      guard let four = nibble(character) else { return nil }
      result = result << 4 | UInt64(four)
    }
    return result
  }

  /// As for a slice.
  package static func value(_ text: [UInt8]) -> UInt64? { value(text[...]) }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x61 - 10 + value
  }

  /// The value of one digit; `nil` for anything else.
  @inlinable
  @inline(__always)
  package static func nibble(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x41 + 10
    case 0x61...0x66: character - 0x61 + 10
    default: nil
    }
  }
}
