/// The lists of keywords that messages have, each once: nearly all messages have one of a few.
package struct KeywordLists: Sendable {
  /// The first is empty.
  private var lists: [[[UInt8]]] = [[]]
  private var positions: [[[UInt8]]: UInt32] = [:]

  /// Only the empty list.
  package init() {}

  /// The list in that position; 0 is that of the empty one.
  package subscript(position: UInt32) -> [[UInt8]] {
    position == 0 ? [] : lists[Int(position)]
  }

  /// The position of a list, which is added where it is new.
  package mutating func position(of list: [[UInt8]]) -> UInt32 {
    if list.isEmpty { return 0 }
    if let known = positions[list] { return known }
    let position = UInt32(lists.count)
    lists.append(list)
    positions[list] = position
    return position
  }
}
