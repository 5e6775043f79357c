internal import Octets

/// The elements that the text lies in, as far as they decide whether it is seen.
///
/// There is no tree, and end tags are missing, doubled and crossed. An end tag closes what was opened within its element, as in
/// browsers, and counts only if its element is near.
struct HTMLOpenElements {
  private struct Element {
    let key: UInt64
    let kind: HTMLElement
    let isSizeless: Bool
    let isInvisible: Bool
  }

  private var elements: [Element] = []

  /// How many open elements an end tag is looked for in, so that each tag costs little.
  private static let reach = 64

  /// Whether text here has no size.
  var isSizeless: Bool { elements.last?.isSizeless ?? false }

  /// Whether nothing here is visible, be it text or picture.
  var isInvisible: Bool { elements.last?.isInvisible ?? false }

  /// Enters an element.
  mutating func begin(_ tag: HTMLTag, _ kind: HTMLElement, _ style: HTMLStyle?) {
    endWhatCannotHold(kind)
    guard !HTMLElement.isVoid(tag.name) else { return }
    elements.append(
      Element(
        key: HTMLElement.key(tag.name),
        kind: kind,
        isSizeless: style?.isSizeless ?? isSizeless,
        isInvisible: style?.isInvisible ?? isInvisible
      )
    )
  }

  /// Leaves an element, and all in it that was not ended.
  mutating func end(_ tag: HTMLTag, _ kind: HTMLElement) {
    let key = HTMLElement.key(tag.name)
    close(upTo: { $0.key == key }, within: { HTMLOpenElements.bounds($0, kind) })
  }

  /// Ends what needs no end tag: a cell before the next one, an item before the next one, a paragraph before a block.
  private mutating func endWhatCannotHold(_ kind: HTMLElement) {
    switch kind {
    case .cell: close(upTo: { $0.kind == .cell }, within: { $0 == .table || $0 == .row })
    case .row: close(upTo: { $0.kind == .row }, within: { $0 == .table })
    case .item:
      close(
        upTo: { $0.kind == .item },
        within: { [.orderedList, .unorderedList, .cell, .table].contains($0) }
      )
    case .block, .paragraph, .table:
      let key = HTMLElement.key([0x70])
      close(upTo: { $0.key == key }, within: { $0 != .inline && $0 != .link })
    default: break
    }
  }

  private mutating func close(
    upTo isMeant: (Element) -> Bool,
    within isBound: (HTMLElement) -> Bool
  ) {
    for index in elements.indices.suffix(HTMLOpenElements.reach).reversed() {
      if isMeant(elements[index]) { return elements.removeSubrange(index...) }
      if isBound(elements[index].kind) { return }
    }
  }

  /// Whether an element that is open keeps an end tag from ending what lies around it.
  private static func bounds(_ open: HTMLElement, _ ended: HTMLElement) -> Bool {
    switch ended {
    case .table: false
    case .cell, .row: open == .table
    case .inline, .link: open != .inline && open != .link
    default: open == .table || open == .cell
    }
  }
}
