internal import Octets

/// Turns text of any charset into UTF-8.
///
/// US-ASCII, UTF-8, ISO-8859-1 and windows-1252 are decoded here; what lies beyond is handed to the
/// converter that the program gives, since this module knows no library.
package struct CharsetDecoder: Sendable {
  /// Turns octets of the charset with that canonical name into UTF-8.
  ///
  /// Octets that the charset does not know become U+FFFD; `nil` when it is not known at all.
  package typealias Convert = @Sendable (_ name: String, _ octets: ArraySlice<UInt8>) -> [UInt8]?

  private let convert: Convert

  package init(_ convert: @escaping Convert) {
    self.convert = convert
  }

  /// A decoder of the charsets decoded here alone.
  package static let native = CharsetDecoder { _, _ in nil }

  /// The text as valid UTF-8; every input gives one.
  ///
  /// Labels lie: text that does not fit its charset, and is UTF-8 as a whole, is read as UTF-8. Text in an unknown charset, or
  /// with octets above 127 that is said to be US-ASCII, is read as ``Charset/unlabelled``. A text said to be UTF-8 without one
  /// right sequence above U+007F is read as windows-1252.
  package func decode(_ octets: ArraySlice<UInt8>, _ charset: Charset) -> [UInt8] {
    switch charset {
    case .utf8: return UTF8Repair.decode(octets)
    case .ascii, .unlabelled: return decode(unlabelled: octets)
    case .latin1, .windows1252:
      return isUTF8(octets) { Windows1252.decode(octets) }
        ? [UInt8](octets) : Windows1252.decode(octets)
    case .hz: return decode(HZText.eightBit(octets)[...], .gb18030)
    case _ where charset.isWide && CharsetGuess.isNarrow(octets): return UTF8Repair.decode(octets)
    default: break
    }
    guard let converted = convert(charset.name, octets) else { return decode(unlabelled: octets) }
    if !charset.isWide, isUTF8(octets, otherwise: { converted }) { return [UInt8](octets) }
    return UTF8Repair.isValid(converted) ? converted : UTF8Repair.decode(converted[...])
  }

  /// UTF-8 where it is that, else what its octets are most likely.
  private func decode(unlabelled octets: ArraySlice<UInt8>) -> [UInt8] {
    if UTF8Repair.isValid(octets) { return [UInt8](octets) }
    if let name = CharsetGuess.charset(of: octets), let converted = convert(name, octets),
      UTF8Repair.isValid(converted)
    {
      return converted
    }
    return UTF8Repair.decode(octets)
  }

  /// Whether a text with another label is UTF-8: all of it is, and it does not fit the label or has characters that no other
  /// charset makes by chance.
  private func isUTF8(_ octets: ArraySlice<UInt8>, otherwise decoded: () -> [UInt8]) -> Bool {
    guard !OctetScan.isASCII(octets), UTF8Repair.isValid(octets) else { return false }
    let long = octets.lazy.filter { $0 >= 0xE0 }.prefix(2).count
    return long == 2 || Self.holdsReplacement(decoded())
  }

  private static func holdsReplacement(_ text: [UInt8]) -> Bool {
    text.indices.dropLast(2).contains {
      text[$0] == 0xEF && text[$0 + 1] == 0xBF && text[$0 + 2] == 0xBD
    }
  }
}

/// Chinese in seven bits, HZ-GB-2312 (RFC 1843), which converters do not know.
enum HZText {
  /// The same text in GB2312 with eight bits.
  static func eightBit(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isChinese = false
    var index = text.startIndex
    while index < text.endIndex {
      let octet = text[index]
      let next = index + 1 < text.endIndex ? text[index + 1] : 0
      switch (octet, next) {
      case (tilde, ASCII.openBrace) where !isChinese: isChinese = true
      case (tilde, ASCII.closeBrace) where isChinese: isChinese = false
      case (tilde, tilde) where !isChinese: result.append(tilde)
      // A line that goes on.
      case (tilde, ASCII.lineFeed): break
      case (ASCII.lineFeed, _):
        isChinese = false
        result.append(octet)
        index -= 1
      case (0x21...0x7E, 0x21...0x7E) where isChinese: result += [octet | 0x80, next | 0x80]
      default:
        result.append(octet)
        index -= 1
      }
      index += 2
    }
    return result
  }

  private static let tilde = UInt8(ascii: "~")
}
