internal import Octets

/// An element that the reader does not see, while its content is skipped.
struct HTMLHiding {
  /// What a tag means for it.
  enum Verdict {
    case goesOn
    /// The tag is its end.
    case ended
    /// It ended without an end tag, and the tag counts.
    case endedBefore
  }

  /// Where its content begins.
  let start: Int

  private let name: ArraySlice<UInt8>
  private var depth = 1
  private var tableDepth = 0

  init(_ tag: HTMLTag) {
    name = tag.name
    start = tag.end
  }

  mutating func meet(_ tag: HTMLTag) -> Verdict {
    if endsUnasked(tag) { return .endedBefore }
    if tag.name.elementsEqual(name) {
      depth += tag.isEnd ? -1 : 1
      if depth == 0 { return .ended }
    }
    if HTMLElement(tag.name) == .table { tableDepth += tag.isEnd ? -1 : 1 }
    return .goesOn
  }

  /// Whether the tag cannot stand in the element, whose end tag may be left out.
  private func endsUnasked(_ tag: HTMLTag) -> Bool {
    let met = HTMLElement(tag.name)
    switch HTMLElement(name) {
    case .cell, .row:
      guard tableDepth <= 0 else { return false }
      if met == .table { return tag.isEnd }
      if met == .cell { return !tag.isEnd && HTMLElement(name) == .cell }
      return met == .row && (!tag.isEnd || HTMLElement(name) == .cell)
    case .paragraph where name.equalsCaseless("p"):
      if tag.isEnd { return [.block, .table, .row, .cell, .body].contains(met) }
      return [.block, .paragraph, .table].contains(met)
    case .item: return met == .item && !tag.isEnd
    default: return false
    }
  }
}
