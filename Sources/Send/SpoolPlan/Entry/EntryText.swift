internal import Octets

/// Writes any octets as a line that people can read, and reads them back.
enum EntryText {
  /// The mailbox with the role \Sent, where a mailbox is named.
  static let sentRole = [UInt8](ascii: "\\Sent")

  /// Controls as `%XX`, so that the octets stay in their line.
  static func escape(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets, ASCII.isControl)
  }

  /// Controls and blanks as `%XX`, so that the octets stay one word.
  static func escapeWord(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { ASCII.isControl($0) || $0 == ASCII.space }
  }

  /// Controls and quotes as `%XX`, so that the octets can stand in quotes.
  static func escapeQuoted(_ octets: [UInt8]) -> [UInt8] {
    PercentEscape.escape(octets) { ASCII.isControl($0) || $0 == ASCII.quote }
  }

  /// The words of a line; `nil` when one is not escaped rightly.
  static func words(_ line: some Collection<UInt8>) -> [[UInt8]]? {
    var words: [[UInt8]] = []
    for word in line.split(separator: ASCII.space) {
      guard let word = PercentEscape.unescape(word) else { return nil }
      words.append(word)
    }
    return words
  }

  /// A number in decimal digits; `nil` for anything else.
  static func number<Number: FixedWidthInteger>(_ octets: [UInt8]) -> Number? {
    var cursor = Cursor(octets)
    guard let number = cursor.decimal(), cursor.isAtEnd else { return nil }
    return Number(exactly: number)
  }
}
