internal import Octets

/// The search for the end of a line, eight octets a step.
enum LineEnd {
  /// The index of the first line feed; `nil` when there is none.
  static func first(in octets: ArraySlice<UInt8>) -> Int? {
    octets.withUnsafeBytes { offset(in: $0) }.map { octets.startIndex + $0 }
  }

  private static func offset(in octets: UnsafeRawBufferPointer) -> Int? {
    var offset = 0
    while offset + 8 <= octets.count {
      let word = octets.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      let found = zeroOctets(word ^ 0x0A0A_0A0A_0A0A_0A0A)
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < octets.count {
      if octets[offset] == ASCII.lineFeed { return offset }
      offset += 1
    }
    return nil
  }

  /// The top bit of the lowest octet that is zero, and possibly of higher ones; 0 for none.
  private static func zeroOctets(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }
}

/// What announces a literal at the end of a line: `{123}`, `{123+}` or `~{123}`.
struct LiteralMarker {
  /// The length of the literal in octets; the largest value for anything that exceeds 64 bits.
  let size: UInt64

  /// Where the marker begins.
  let start: Int

  /// The marker that ends the line, whose line end was taken off; `nil` when none does.
  init?(endOf line: ArraySlice<UInt8>) {
    guard line.last == ASCII.closeBrace else { return nil }
    var digits = line.dropLast()
    if digits.last == ASCII.plus { digits = digits.dropLast() }
    guard let brace = digits.lastIndex(where: { !ASCII.isDigit($0) }),
      digits[brace] == ASCII.openBrace, brace + 1 < digits.endIndex
    else { return nil }
    var cursor = Cursor(digits[(brace + 1)...])
    size = cursor.decimal() ?? .max
    let isBinary = brace > line.startIndex && line[brace - 1] == ASCII.tilde
    start = isBinary ? brace - 1 : brace
  }
}
