/// The charset windows-1252, which most text labelled ISO-8859-1 is in truth.
package enum Windows1252 {
  /// The scalars of 0x80…0x9F; the five octets without a meaning are U+FFFD.
  private static let high: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
    0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
  ]

  /// The scalar value that the octet stands for.
  package static func scalar(_ octet: UInt8) -> UInt32 {
    octet & 0xE0 == 0x80 ? UInt32(high[Int(octet & 0x1F)]) : UInt32(octet)
  }

  /// The text as UTF-8.
  package static func decode(_ octets: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count + octets.count / 8)
    for octet in octets { result.append(utf8: scalar(octet)) }
    return result
  }
}

extension [UInt8] {
  /// Appends a scalar value as UTF-8; U+FFFD in place of what is none.
  @inlinable
  package mutating func append(utf8 value: UInt32) {
    switch value {
    case 0..<0x80: append(UInt8(truncatingIfNeeded: value))
    case 0x80..<0x800:
      append(0xC0 | UInt8(truncatingIfNeeded: value >> 6))
      append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    case 0xD800...0xDFFF, 0x11_0000...: append(utf8: 0xFFFD)
    case 0x800..<0x1_0000:
      append(0xE0 | UInt8(truncatingIfNeeded: value >> 12))
      append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
      append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    default:
      append(0xF0 | UInt8(truncatingIfNeeded: value >> 18))
      append(0x80 | UInt8(truncatingIfNeeded: value >> 12 & 0x3F))
      append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3F))
      append(0x80 | UInt8(truncatingIfNeeded: value & 0x3F))
    }
  }
}
