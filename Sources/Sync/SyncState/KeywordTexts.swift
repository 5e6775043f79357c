internal import Octets

/// The lists of keywords that lines of a map have, each made of its text once.
struct KeywordTexts {
  private var texts = OctetPool()
  /// By the numbers of their texts; nil where a text is no list.
  private var lists: [[[UInt8]]?] = []

  /// The list that stands there, empty for an empty place; nil where there is none.
  mutating func list(_ octets: UnsafeRawBufferPointer, _ place: Range<Int>) -> [[UInt8]]? {
    if place.isEmpty { return [] }
    let text = UnsafeRawBufferPointer(rebasing: octets[place])
    let (number, isNew) = texts.insert(text, keyCount: text.count)
    if isNew {
      var reader = LineReader([UInt8](text)[...])
      lists.append(reader.keywords())
    }
    return lists[number]
  }
}
