internal import Octets

/// What the style and the attributes of an element do to the sight of its text.
struct HTMLStyle {
  /// Whether the element and all below it vanish.
  private(set) var isHidden: Bool

  /// Whether its text has no size, which elements below may set again; `nil` where it does not say.
  private(set) var isSizeless: Bool?

  /// Whether its text is invisible, which elements below may undo; `nil` where it does not say.
  private(set) var isInvisible: Bool?

  /// Whether the element itself says how it is displayed, and not that it is not.
  private var isDisplayed = false

  /// Takes what a style sheet says, which counts less than what the element says itself, unless it is important.
  mutating func apply(_ rule: HTMLStyleSheet.Display) {
    if rule.isNone, rule.isImportant || !isDisplayed { isHidden = true }
  }

  init(_ attributes: HTMLAttributes) {
    isHidden = attributes.value("hidden") != nil
    guard let style = attributes.value("style") else { return }
    for declaration in style.split(separator: ASCII.semicolon) { applyDeclaration(declaration) }
  }

  /// Applies a declaration such as `display: none !important`.
  private mutating func applyDeclaration(_ declaration: ArraySlice<UInt8>) {
    let lowered = declaration.prefix(200).map { ASCII.lowercased($0) }
    let halves = lowered.split(separator: ASCII.colon, maxSplits: 1)
    guard halves.count == 2 else { return }
    let name = HTMLStyle.trimmed(halves[0])
    let value = HTMLStyle.trimmed(halves[1].prefix { $0 != ASCII.exclamationMark })
    if name.equalsCaseless("display"), !value.equalsCaseless("none") { isDisplayed = true }
    if name.equalsCaseless("font-size") {
      isSizeless = HTMLStyle.isZero(size: value) ?? isSizeless
    } else if name.equalsCaseless("font") {
      isSizeless = HTMLStyle.isZero(font: value) ?? isSizeless
    } else if name.equalsCaseless("visibility"), !value.equalsCaseless("inherit") {
      isInvisible = !value.equalsCaseless("visible")
    } else if HTMLStyle.hiding.contains(where: {
      name.equalsCaseless($0.0) && value.equalsCaseless($0.1)
    }) {
      isHidden = true
    }
  }

  private static let hiding: [(StaticString, StaticString)] = [
    ("display", "none"), ("mso-hide", "all"), ("max-height", "0"), ("max-height", "0px"),
    ("opacity", "0"),
  ]

  /// Whether a size is too small to be seen; `nil` where it is a part of the size around it.
  private static func isZero(size: ArraySlice<UInt8>) -> Bool? {
    let relative: [StaticString] = ["inherit", "unset", "smaller", "larger"]
    if relative.contains(where: { size.equalsCaseless($0) }) { return nil }
    let number = size.prefix { ASCII.isDigit($0) || $0 == ASCII.dot }
    guard !number.isEmpty else { return false }
    if number.allSatisfy({ $0 == 0x30 || $0 == ASCII.dot }) { return true }
    let unit = size[number.endIndex...]
    if unit.equalsCaseless("em") || unit.equalsCaseless("%") { return nil }
    return number.elementsEqual([0x31]) && unit.equalsCaseless("px")
  }

  /// As ``isZero(size:)`` for `font: bold 13px/1.5 Arial`, which sets a size besides other things.
  private static func isZero(font: ArraySlice<UInt8>) -> Bool? {
    if font.equalsCaseless("inherit") || font.equalsCaseless("unset") { return nil }
    for word in font.split(whereSeparator: { $0 <= ASCII.space }) {
      let size = word.prefix { $0 != ASCII.slash }
      let isWeight = size.count == 3 && size.allSatisfy { ASCII.isDigit($0) }
      if size.first.map({ ASCII.isDigit($0) || $0 == ASCII.dot }) == true, !isWeight {
        return isZero(size: size)
      }
    }
    return false
  }

  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop { $0 <= ASCII.space }
    while let last = text.last, last <= ASCII.space { text.removeLast() }
    return text
  }
}

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
