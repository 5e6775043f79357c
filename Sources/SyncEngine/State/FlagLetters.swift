internal import SyncPlan

/// The letters that stand for flags in state files: those of Maildir names.
enum FlagLetters {
  static let none = UInt8(ascii: "-")
  /// The keyword that looks like nothing.
  static let escapedNone = Array("%2D".utf8)
  static let comma = UInt8(ascii: ",")

  private static let table: [(SystemFlags, UInt8)] = [
    (.draft, UInt8(ascii: "D")), (.flagged, UInt8(ascii: "F")),
    (.forwarded, UInt8(ascii: "P")), (.answered, UInt8(ascii: "R")),
    (.seen, UInt8(ascii: "S")), (.deleted, UInt8(ascii: "T")),
  ]

  /// The letters of the flags in ASCII order.
  static func letters(of flags: SystemFlags) -> [UInt8] {
    table.filter { flags.contains($0.0) }.map(\.1)
  }

  /// The flag of a letter; nil when it is none of the six.
  static func flag(_ letter: UInt8) -> SystemFlags? {
    table.first { $0.1 == letter }?.0
  }

  /// Whether a keyword's octet would be mistaken for a separator.
  static func mustEscape(_ octet: UInt8) -> Bool {
    octet <= 0x20 || octet >= 0x7F || octet == comma
  }
}
