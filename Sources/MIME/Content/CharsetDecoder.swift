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

  /// A decoder that turns to `convert` for what it cannot do itself.
  package init(_ convert: @escaping Convert) {
    self.convert = convert
  }

  /// A decoder of the charsets decoded here alone.
  package static let native = CharsetDecoder { _, _ in nil }

  /// The text as valid UTF-8; every input gives one.
  ///
  /// Text in an unknown charset, or with octets above 127 that is said to be US-ASCII, is read as
  /// ``Charset/unlabelled``. A text said to be UTF-8 without one right sequence above U+007F is read
  /// as windows-1252: its label is wrong.
  package func decode(_ octets: ArraySlice<UInt8>, _ charset: Charset) -> [UInt8] {
    switch charset {
    case .utf8, .ascii, .unlabelled:
      if OctetScan.isASCII(octets) { return [UInt8](octets) }
      return UTF8Repair.decode(octets)
    case .latin1, .windows1252: return Windows1252.decode(octets)
    case .hz: return decode(HZText.eightBit(octets)[...], .gb18030)
    default: break
    }
    guard let converted = convert(charset.name, octets) else {
      return UTF8Repair.decode(octets)
    }
    return UTF8Repair.isValid(converted) ? converted : UTF8Repair.decode(converted[...])
  }
}
