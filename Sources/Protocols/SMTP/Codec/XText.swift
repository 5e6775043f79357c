internal import Octets

/// The way of any octets into a parameter of MAIL and RCPT.
enum XText {
  /// `xtext` (RFC 3461 §4): all but visible ASCII, and `+` and `=`, as `+` and two large hex digits.
  static func encode(_ octets: [UInt8]) -> [UInt8] {
    octets.flatMap { octet in
      isPlain(octet) ? [octet] : [ASCII.plus] + Hex.encode([octet]).map(ASCII.uppercased)
    }
  }

  /// `utf-8-addr-unitext` (RFC 6533 §3), for servers with SMTPUTF8: what is no plain visible
  /// character as `\x{HH}`, UTF-8 above 127 as it is.
  static func encodeUTF8(_ octets: [UInt8]) -> [UInt8] {
    octets.flatMap { octet in
      octet > 127 || isPlain(octet) && octet != ASCII.backslash
        ? [octet]
        : [UInt8](ascii: "\\x{") + Hex.encode([octet]).map(ASCII.uppercased) + [ASCII.closeBrace]
    }
  }

  private static func isPlain(_ octet: UInt8) -> Bool {
    (0x21...0x7E).contains(octet) && octet != ASCII.plus && octet != ASCII.equals
  }
}
