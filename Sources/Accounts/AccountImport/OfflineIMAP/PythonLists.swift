internal import Octets

/// Reads the few forms of Python that say nothing but which folders are meant; nothing is run.
enum PythonLists {
  /// A filter that names folders.
  enum Filter: Hashable {
    case only([String])
    case but([String])
  }

  /// Reads `['INBOX', 'Sent']`; nil where it is something else.
  static func list(_ text: String) -> [String]? {
    var cursor = Cursor(Array(text.utf8))
    guard let list = list(&cursor), isAtEnd(&cursor) else { return nil }
    return list
  }

  /// Reads `lambda name: name in [...]`, and `not in`; nil where it is something else.
  static func filter(_ text: String) -> Filter? {
    var cursor = Cursor(Array(text.utf8))
    guard skipToken("lambda", &cursor), let name = word(&cursor), skipToken(":", &cursor),
      word(&cursor) == name
    else { return nil }
    let isNegative = skipToken("not", &cursor)
    guard skipToken("in", &cursor), let list = list(&cursor), isAtEnd(&cursor) else { return nil }
    return isNegative ? .but(list) : .only(list)
  }

  private static func list(_ cursor: inout Cursor) -> [String]? {
    skipBlanks(&cursor)
    let end: UInt8
    switch cursor.next() {
    case ASCII.openBracket: end = ASCII.closeBracket
    case ASCII.openParenthesis: end = ASCII.closeParenthesis
    default: return nil
    }
    var texts: [String] = []
    while true {
      skipBlanks(&cursor)
      if cursor.skip(end) { return texts }
      guard let text = string(&cursor) else { return nil }
      texts.append(text)
      skipBlanks(&cursor)
      if cursor.skip(ASCII.comma) { continue }
      // A text in parentheses without a comma is no tuple.
      guard cursor.skip(end), end == ASCII.closeBracket || texts.count > 1 else { return nil }
      return texts
    }
  }

  /// A text in quotes without escapes.
  private static func string(_ cursor: inout Cursor) -> String? {
    let quote = cursor.peek
    guard quote == ASCII.quote || quote == ASCII.apostrophe, let quote else { return nil }
    _ = cursor.next()
    let octets = Array(cursor.take { $0 != quote && $0 != ASCII.backslash })
    guard cursor.skip(quote) else { return nil }
    return String(validating: octets, as: UTF8.self)
  }

  private static func word(_ cursor: inout Cursor) -> [UInt8]? {
    skipBlanks(&cursor)
    let word = Array(
      cursor.take { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.underscore }
    )
    return word.isEmpty ? nil : word
  }

  private static func skipToken(_ text: StaticString, _ cursor: inout Cursor) -> Bool {
    skipBlanks(&cursor)
    return cursor.skip(text)
  }

  private static func isAtEnd(_ cursor: inout Cursor) -> Bool {
    skipBlanks(&cursor)
    return cursor.isAtEnd
  }

  private static func skipBlanks(_ cursor: inout Cursor) {
    _ = cursor.take { ASCII.isBlank($0) }
  }
}
