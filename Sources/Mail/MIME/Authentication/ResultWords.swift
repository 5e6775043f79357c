internal import Octets

/// The words between two semicolons of such a field: comments are left out, quotes undone.
struct ResultWords {
  private enum Word: Equatable {
    case text([UInt8])
    case equals
    case slash
  }

  /// Results in a field at most: no server checks as much.
  private static let limit = 100

  private var words: [Word] = []

  static func items(_ body: ArraySlice<UInt8>) -> [ResultWords] {
    var (cursor, items) = (Cursor(body), [ResultWords()])
    while let octet = cursor.peek {
      switch octet {
      case 0...ASCII.space, ASCII.delete: _ = cursor.next()
      case ASCII.openParenthesis:
        // What follows a comment that does not end belongs to it.
        guard Self.skipComment(&cursor) else { return items }
      case ASCII.semicolon:
        _ = cursor.next()
        guard items.count <= limit else { return items }
        items.append(ResultWords())
      case ASCII.equals:
        _ = cursor.next()
        items[items.count - 1].words.append(.equals)
      case ASCII.slash where items[items.count - 1].words.last != .equals:
        _ = cursor.next()
        items[items.count - 1].words.append(.slash)
      default:
        guard let text = Self.text(&cursor, isValue: items[items.count - 1].words.last == .equals)
        else {
          // Within quotes that do not end nothing is known.
          items[items.count - 1].words = []
          return items
        }
        items[items.count - 1].words.append(.text(text))
      }
    }
    return items
  }

  /// The name of the server; nil where there is none, or its version is unknown.
  var server: [UInt8]? {
    guard case .text(let name)? = words.first, !name.isEmpty else { return nil }
    switch words.count {
    case 1: break
    case 2 where words[1] == .text([UInt8(ascii: "1")]): break
    default: return nil
    }
    return name.map(ASCII.lowercased)
  }

  /// The result; nil where it is none, as `none` alone is.
  var result: MethodResult? {
    var rest = words[...]
    guard case .text(let method)? = rest.popFirst(), !method.isEmpty else { return nil }
    if rest.first == .slash {
      rest = rest.dropFirst()
      guard rest.popFirst() == .text([UInt8(ascii: "1")]) else { return nil }
    }
    guard rest.popFirst() == .equals, case .text(let result)? = rest.popFirst() else { return nil }
    guard let properties = Self.properties(&rest) else { return nil }
    return MethodResult(
      method: method.map(ASCII.lowercased),
      result: result.map(ASCII.lowercased),
      properties: properties
    )
  }

  /// The properties, the reason among them; nil where something else stands there.
  private static func properties(_ rest: inout ArraySlice<Word>) -> [MethodResult.Property]? {
    var properties: [MethodResult.Property] = []
    while !rest.isEmpty {
      var name: [UInt8] = []
      while case .text(let text)? = rest.first {
        name += text
        rest = rest.dropFirst()
      }
      guard !name.isEmpty, rest.popFirst() == .equals else { return nil }
      var value: [UInt8] = []
      if case .text(let text)? = rest.first {
        value = text
        rest = rest.dropFirst()
      }
      properties.append(MethodResult.Property(name: name.map(ASCII.lowercased), value: value))
    }
    return properties
  }

  /// Skips a comment, those within it too; false where it does not end.
  private static func skipComment(_ cursor: inout Cursor) -> Bool {
    var depth = 0
    while let octet = cursor.next() {
      switch octet {
      case ASCII.backslash: _ = cursor.next()
      case ASCII.openParenthesis: depth += 1
      case ASCII.closeParenthesis: depth -= 1
      default: break
      }
      if depth == 0 { return true }
    }
    return false
  }

  /// A word; a value may have quotes in front, and signs that end a name; nil where quotes do not end.
  private static func text(_ cursor: inout Cursor, isValue: Bool) -> [UInt8]? {
    var text: [UInt8] = []
    if cursor.skip(ASCII.quote) {
      guard let quoted = quoted(&cursor) else { return nil }
      text = quoted
      guard isValue else { return text }
    }
    text += cursor.take { !ends($0, isValue: isValue) }
    return text
  }

  private static func quoted(_ cursor: inout Cursor) -> [UInt8]? {
    var text: [UInt8] = []
    while let octet = cursor.next() {
      switch octet {
      case ASCII.quote: return text
      case ASCII.backslash: text += cursor.next().map { [$0] } ?? []
      default: text.append(octet)
      }
    }
    return nil
  }

  private static func ends(_ octet: UInt8, isValue: Bool) -> Bool {
    switch octet {
    case 0...ASCII.space, ASCII.delete, ASCII.semicolon, ASCII.openParenthesis: true
    case ASCII.equals, ASCII.slash, ASCII.quote: !isValue
    default: false
    }
  }
}
