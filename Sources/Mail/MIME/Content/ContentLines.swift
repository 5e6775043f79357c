internal import Octets

/// Text of lines that go on in the next one, as in calendars and address cards (RFC 5545 §3.1, RFC 6350 §3.2).
enum ContentLines {
  /// The text with lines made whole and escapes undone: `\n` is a line end, `\,` and `\;` are what they say.
  ///
  /// - Parameter text: with LF line ends.
  /// - Returns: the text as its author meant it.
  static func unfold(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let next = index + 1 < text.count ? text[index + 1] : 0
      switch text[index] {
      case ASCII.lineFeed where next == ASCII.space || next == ASCII.tab: index += 1
      case ASCII.backslash where ASCII.lowercased(next) == UInt8(ascii: "n"):
        result.append(ASCII.lineFeed)
        index += 1
      case ASCII.backslash where escaped.contains(next):
        result.append(next)
        index += 1
      case let octet: result.append(octet)
      }
      index += 1
    }
    return result
  }

  private static let escaped = [ASCII.backslash, ASCII.comma, ASCII.semicolon, ASCII.colon]
}
