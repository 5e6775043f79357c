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

  private static func isFiller(_ octet: UInt8) -> Bool {
    octet <= ASCII.space || octet == ASCII.slash
  }
}
