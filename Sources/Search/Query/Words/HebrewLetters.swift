/// Letters of Hebrew in UTF-8, between which quotation marks belong to the word: `צה"ל`.
enum HebrewLetters {
  /// Whether a text ends with one.
  static func end(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count > 1, let last = text.last else { return false }
    return begin(text[text.endIndex - 2], last)
  }

  /// Whether two octets are one.
  static func begin(_ first: UInt8, _ second: UInt8) -> Bool {
    first == 0xD7 && (0x90...0xAA).contains(second)
  }
}
