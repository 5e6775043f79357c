internal import Octets

/// Keywords that a message gets and loses; upper and lower case of ASCII are one.
package struct KeywordChange: Hashable, Sendable {
  /// Those that it gets.
  package var adding: [[UInt8]]
  /// Those that it loses.
  package var removing: [[UInt8]]

  package init(adding: [[UInt8]] = [], removing: [[UInt8]] = []) {
    (self.adding, self.removing) = (adding, removing)
  }

  package static let none = KeywordChange()

  /// Whether nothing changes.
  package var isEmpty: Bool { adding.isEmpty && removing.isEmpty }

  /// What is still to be changed where a message has these keywords, as they are spelled there.
  package func left(of keywords: [[UInt8]]) -> KeywordChange {
    KeywordChange(
      adding: adding.filter { !Self.contains(keywords, $0) },
      removing: keywords.filter { Self.contains(removing, $0) }
    )
  }

  /// The keywords after the change.
  package func applied(to keywords: [[UInt8]]) -> [[UInt8]] {
    let left = left(of: keywords)
    return keywords.filter { !Self.contains(removing, $0) } + left.adding
  }

  private static func contains(_ keywords: [[UInt8]], _ keyword: [UInt8]) -> Bool {
    keywords.contains { $0.equalsCaseless(keyword) }
  }
}

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
