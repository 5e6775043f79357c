internal import Octets

/// What the style sheets of a page say of the display of elements, as far as it hides text.
///
/// Only selectors of one class or one id count, with or without the name of an element before it. Mail uses them to hide one of
/// two renderings of a text, which are for different widths of a screen. Rules for some media only do not count.
struct HTMLStyleSheet {
  /// What counts of the rules for an element.
  struct Display {
    /// Whether the element is not displayed.
    let isNone: Bool
    let isImportant: Bool
    /// The rule of the highest rank counts (CSS 2.1 §6.4.1).
    fileprivate let rank: Int
  }

  /// By selector, such as `.mobile` or `td.mobile`, the name of the element in small letters.
  private var displays: [[UInt8]: Display] = [:]

  private static let (ruleLimit, lengthLimit, classLimit) = (2000, 1 << 20, 20)

  /// Takes the text of a style sheet for those media.
  mutating func add(_ text: ArraySlice<UInt8>, media: [UInt8]?) {
    if let media, !Self.isForScreens(media) { return }
    var rest = Self.withoutComments(text.prefix(Self.lengthLimit))[...]
    while let end = rest.firstIndex(where: { $0 == ASCII.openBrace || $0 == ASCII.semicolon }) {
      let selectors = HTMLStyle.trimmed(rest[..<end])
      let isBlock = rest[end] == ASCII.openBrace
      rest = rest[(end + 1)...]
      guard isBlock else { continue }
      let block =
        selectors.first == ASCII.at ? Self.nested(rest) : rest.prefix { $0 != ASCII.closeBrace }
      rest = rest[block.endIndex...].dropFirst()
      if selectors.first != ASCII.at { add(block, for: selectors) }
    }
  }

  private mutating func add(_ block: ArraySlice<UInt8>, for selectors: ArraySlice<UInt8>) {
    for declaration in block.split(separator: ASCII.semicolon) {
      let halves = declaration.prefix(100).map { ASCII.lowercased($0) }
        .split(separator: ASCII.colon, maxSplits: 1)
      guard halves.count == 2, HTMLStyle.trimmed(halves[0]).equalsCaseless("display") else {
        continue
      }
      let value = HTMLStyle.trimmed(halves[1].prefix { $0 != ASCII.exclamationMark })
      let isImportant = halves[1].contains(ASCII.exclamationMark)
      for selector in selectors.split(separator: ASCII.comma) {
        add(selector, isNone: value.equalsCaseless("none"), isImportant)
      }
    }
  }

  private mutating func add(_ selector: ArraySlice<UInt8>, isNone: Bool, _ isImportant: Bool) {
    let selector = HTMLStyle.trimmed(selector)
    let element = selector.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) }
    let rest = selector[element.endIndex...]
    guard let mark = rest.first, mark == ASCII.dot || mark == ASCII.hash, rest.count < 100,
      rest.count > 1, rest.dropFirst().allSatisfy(Self.isName), displays.count < Self.ruleLimit
    else { return }
    let key = element.map { ASCII.lowercased($0) } + rest
    let specificity = (mark == ASCII.hash ? 4 : 0) + (element.isEmpty ? 0 : 1)
    let rank = ((isImportant ? 8 : 0) + specificity) << 32 + displays.count
    if let known = displays[key], known.isImportant, !isImportant { return }
    displays[key] = Display(isNone: isNone, isImportant: isImportant, rank: rank)
  }

  /// What counts for the element of a tag; nil where nothing is said of it.
  func display(of tag: HTMLTag, _ attributes: HTMLAttributes) -> Display? {
    guard !displays.isEmpty else { return nil }
    var names: [[UInt8]] = []
    if let classes = attributes.value("class") {
      names += classes.split(whereSeparator: { $0 <= ASCII.space }).prefix(Self.classLimit)
        .map { [ASCII.dot] + $0 }
    }
    if let id = attributes.value("id") { names.append([ASCII.hash] + id) }
    return names.flatMap { [displays[$0], displays[tag.name + $0]] }.compactMap { $0 }
      .max { $0.rank < $1.rank }
  }

  private static func isForScreens(_ media: [UInt8]) -> Bool {
    let media = HTMLStyle.trimmed(media[...])
    return media.isEmpty || media.equalsCaseless("all") || media.equalsCaseless("screen")
  }

  /// What stands before the brace that ends a block which holds others.
  private static func nested(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var depth = 1
    for index in text.indices {
      if text[index] == ASCII.openBrace { depth += 1 }
      if text[index] == ASCII.closeBrace { depth -= 1 }
      if depth == 0 { return text[..<index] }
    }
    return text
  }

  private static func withoutComments(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let isStart = text[index] == ASCII.slash && text[index...].dropFirst().first == ASCII.asterisk
      guard isStart else {
        result.append(text[index])
        index += 1
        continue
      }
      index += 2
      while index < text.endIndex, text[index] != ASCII.slash || text[index - 1] != ASCII.asterisk {
        index += 1
      }
      index += 1
    }
    // The marks of comments of HTML mean nothing here (CSS 2.1 §4.1.2).
    return result.starts(with: [UInt8](ascii: "<!--")) ? [UInt8](result.dropFirst(4)) : result
  }

  private static func isName(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.minus
      || octet == ASCII.underscore || octet >= 0x80
  }
}
