internal import Octets

/// Text for printers, which strike a letter twice to make it bold, or with a low line to underline it.
enum Overstrike {
  private static let backspace: UInt8 = 0x08

  /// The text with each of these letters once; backspaces for any other purpose stay.
  ///
  /// - Parameter text: UTF-8.
  /// - Returns: UTF-8.
  static func plain(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(backspace) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var last: ArraySlice<UInt8> = []
    var index = 0
    while index < text.count {
      let end = characterEnd(text, index)
      let struck =
        text[index] == backspace && end < text.count
        ? text[end..<characterEnd(text, end)] : []
      if let kept = struck.isEmpty ? nil : choice(last, struck) {
        result.removeLast(last.count)
        result += kept
        last = kept
        index = struck.endIndex
      } else {
        last = text[index..<end]
        result += last
        index = end
      }
    }
    return result
  }

  /// Which of two characters in one place is meant; nil where they are no letter and what stresses it.
  private static func choice(
    _ first: ArraySlice<UInt8>,
    _ second: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    if first.isEmpty || first == [backspace] || second == [backspace] { return nil }
    if first.elementsEqual(second) || first == [ASCII.underscore] { return second }
    return second == [ASCII.underscore] ? first : nil
  }

  private static func characterEnd(_ text: [UInt8], _ start: Int) -> Int {
    var end = start + 1
    guard text[start] >= 0xC0 else { return end }
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
