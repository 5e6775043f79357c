/// What stands between and in place of the fields of a line in state files.
enum LineFormat {
  /// A field that is empty.
  static let none = UInt8(ascii: "-")
  /// The keyword that looks like an empty field.
  static let escapedNone = Array("%2D".utf8)
  static let comma = UInt8(ascii: ",")

  /// Whether a keyword's octet would be mistaken for a separator.
  static func mustEscape(_ octet: UInt8) -> Bool {
    octet <= 0x20 || octet >= 0x7F || octet == comma
  }
}
