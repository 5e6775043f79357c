internal import Octets

/// The attributes of a tag, read once from left to right.
struct HTMLAttributes {
  private let text: ArraySlice<UInt8>

  /// - Parameter text: What stands between the name of the tag and its `>`.
  init(_ text: ArraySlice<UInt8>) {
    self.text = text
  }

  /// The value of the first attribute of that name, entities undone; `nil` when there is none.
  func value(_ name: StaticString) -> [UInt8]? {
    var cursor = Cursor(text)
    while !cursor.isAtEnd {
      _ = cursor.take { HTMLAttributes.isFiller($0) }
      let found = cursor.take { !HTMLAttributes.isFiller($0) && $0 != ASCII.equals }
      _ = cursor.take { $0 <= ASCII.space }
      var value: ArraySlice<UInt8> = []
      if cursor.skip(ASCII.equals) { value = HTMLAttributes.value(&cursor) }
      if found.equalsCaseless(name) { return HTMLEntities.decode(value) }
    }
    return nil
  }

  /// Whether its style or attributes hide the element from the reader.
  var isHidden: Bool {
    if value("hidden") != nil { return true }
    guard let style = value("style") else { return false }
    return style.split(separator: ASCII.semicolon).contains { HTMLAttributes.hides($0) }
  }

  private static func value(_ cursor: inout Cursor) -> ArraySlice<UInt8> {
    _ = cursor.take { $0 <= ASCII.space }
    guard let quote = cursor.peek, quote == ASCII.quote || quote == ASCII.apostrophe else {
      return cursor.take { $0 > ASCII.space }
    }
    _ = cursor.next()
    let value = cursor.take { $0 != quote }
    _ = cursor.next()
    return value
  }

  /// Whether a declaration such as `display: none !important` makes the element vanish.
  private static func hides(_ declaration: ArraySlice<UInt8>) -> Bool {
    let squeezed = declaration.prefix(200).filter { $0 > ASCII.space }
    let halves = squeezed.map { ASCII.lowercased($0) }.split(separator: ASCII.colon, maxSplits: 1)
    guard halves.count == 2 else { return false }
    let value = halves[1].prefix { $0 != ASCII.exclamationMark }
    return hiding.contains { halves[0].equalsCaseless($0.0) && value.equalsCaseless($0.1) }
  }

  private static let hiding: [(StaticString, StaticString)] = [
    ("display", "none"), ("visibility", "hidden"), ("mso-hide", "all"),
    ("font-size", "0"), ("font-size", "0px"), ("font-size", "0pt"), ("font-size", "1px"),
    ("max-height", "0"), ("max-height", "0px"), ("opacity", "0"),
  ]

  private static func isFiller(_ octet: UInt8) -> Bool {
    octet <= ASCII.space || octet == ASCII.slash
  }
}
