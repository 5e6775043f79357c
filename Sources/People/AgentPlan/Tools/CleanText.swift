/// Takes out of texts of mail what no reader sees, and counts it.
///
/// Hidden characters are how a text says one thing to a person and another one to a program.
package struct CleanText: Sendable {
  /// How many characters were taken out.
  package private(set) var removed = 0

  package init() {}

  /// The text as UTF-8, with LF and TAB as its only controls.
  package mutating func text(_ octets: some Collection<UInt8>) -> [UInt8] {
    clean(octets, limit: .max) { $0 }
  }

  /// The text in one line, at most so many characters of it.
  package mutating func line(_ octets: some Collection<UInt8>, limit: Int) -> [UInt8] {
    clean(octets, limit: limit) { $0 == "\n" || $0 == "\t" ? " " : $0 }
  }

  private mutating func clean(
    _ octets: some Collection<UInt8>,
    limit: Int,
    _ shown: (Unicode.Scalar) -> Unicode.Scalar
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(min(octets.count, 1 << 16))
    var (count, isBehindSelector) = (0, false)
    for scalar in String(decoding: octets, as: UTF8.self).unicodeScalars {
      let isSelector = (0xFE00...0xFE0F).contains(scalar.value)
      defer { isBehindSelector = isSelector }
      guard Self.isSeen(scalar) || isSelector && !isBehindSelector else {
        removed += 1
        continue
      }
      guard count < limit else { break }
      count += 1
      result += UTF8.encode(shown(scalar)) ?? UTF8.encodedReplacementCharacter
    }
    return result
  }

  /// Whether a text holds nothing that is taken out.
  package static func isClean(_ text: some Collection<UInt8>) -> Bool {
    var clean = CleanText()
    _ = clean.text(text)
    return clean.removed == 0
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0xAD {
      return value >= 0x20 && !(0x7F..<0xA0).contains(value) || value == 9 || value == 10
    }
    if value < 0x300 { return value != 0xAD }
    // Line and paragraph separators, and what annotates other text.
    if value == 0x2028 || value == 0x2029 || (0xFFF9...0xFFFB).contains(value) { return false }
    // Tags, and selectors of variants beyond the usual.
    if (0xE0000...0xE0FFF).contains(value) { return false }
    return !scalar.properties.isDefaultIgnorableCodePoint
  }
}
