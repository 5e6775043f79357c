internal import Octets

/// Turns HTML into text, tag by tag.
///
/// There is no tree: elements that are never closed do what they do until the end, which costs a
/// little layout and never text. The exceptions are elements that hide (``HTMLHiding``), and those
/// that make text invisible, which others within may undo (``HTMLOpenElements``).
struct HTMLRenderer {
  private var scanner: HTMLScanner
  private var layout = TextLayout()
  private let showsLinks: Bool
  private let rule: PlainText.Hiding
  /// How many more links are collected; nil where none are.
  private var room: Int?
  /// The links to the web that were met.
  private(set) var collected: [PlainText.Link] = []
  private var hiding: HTMLHiding?
  private var open = HTMLOpenElements()
  private var honoursHiding = true
  /// What is left out.
  private let omission: Omission
  private var hasHidden = false
  private var sheet = HTMLStyleSheet()
  private var base: [UInt8]?
  private var preformattedDepth = 0
  private var lists: [HTMLList] = []
  private var tables: [HTMLTable] = []
  private var links = HTMLLinks()
  private var endless: Set<UInt64> = []

  /// What of a page is left out: less of one that would be blank.
  private enum Omission {
    /// What browsers do not show.
    case hidden
    /// What they do not show, whatever the styles.
    case unstyled
    case code
  }

  init(
    _ html: [UInt8],
    links: PlainText.Links,
    _ rule: PlainText.Hiding = .unlessBlank,
    collecting limit: Int? = nil
  ) {
    self.init(html, showsLinks: links == .shown, .hidden, rule)
    room = limit
  }

  private init(
    _ html: [UInt8],
    showsLinks: Bool,
    _ omission: Omission,
    _ rule: PlainText.Hiding
  ) {
    scanner = HTMLScanner(html)
    self.showsLinks = showsLinks
    self.rule = rule
    self.omission = omission
  }

  mutating func render() -> [UInt8] {
    repeat {
      while !scanner.isAtEnd { step() }
    } while showWhatNeverEnded()
    endLink()
    if let known = links.doubles { return render(omitting: omission, knowing: known) }
    guard layout.octets.isEmpty, hasHidden, rule == .unlessBlank else { return layout.octets }
    switch omission {
    case .hidden: return render(omitting: .unstyled)
    case .unstyled: return render(omitting: .code)
    case .code: return []
    }
  }

  private func render(omitting omission: Omission, knowing urls: Set<[UInt8]> = []) -> [UInt8] {
    var other = HTMLRenderer(scanner.html, showsLinks: showsLinks, omission, rule)
    other.links = HTMLLinks(knowing: urls)
    return other.render()
  }

  private var honoursStyles: Bool { omission == .hidden }

  private var isTextSeen: Bool {
    hiding == nil && !(honoursStyles && (open.isSizeless || open.isInvisible))
  }

  /// Goes back to an element that hid all the rest; from there on nothing hides.
  private mutating func showWhatNeverEnded() -> Bool {
    guard let hiding, honoursHiding, rule == .unlessBlank else { return false }
    honoursHiding = false
    self.hiding = nil
    scanner.move(to: hiding.start)
    return true
  }

  private mutating func step() {
    let text = scanner.text()
    if isTextSeen { write(text) } else { hasHidden = true }
    guard !scanner.isAtEnd else { return }
    var literal: [UInt8] = []
    let tag = scanner.tag { literal.append($0) }
    if isTextSeen { layout.write(literal[...]) }
    guard let tag else { return }
    if hiding != nil, keepsHiding(tag) { return }
    if tag.isEnd { end(tag) } else { begin(tag) }
  }

  /// Whether the tag is a part of what is hidden.
  private mutating func keepsHiding(_ tag: HTMLTag) -> Bool {
    guard let verdict = hiding?.meet(tag) else { return false }
    if verdict != .goesOn { hiding = nil }
    return verdict != .endedBefore
  }

  private mutating func begin(_ tag: HTMLTag) {
    let element = HTMLElement(tag.name)
    if element == .code || element == .rawUnseen && omission != .code {
      skipRaw(tag, element)
      return
    }
    let attributes = HTMLAttributes(scanner.html[tag.attributes])
    let style = tag.attributes.isEmpty || !honoursStyles ? nil : style(tag, attributes)
    let isHidden = element == .unseen && omission != .code || style?.isHidden == true
    if isHidden, honoursHiding, !HTMLElement.isVoid(tag.name) {
      hiding = HTMLHiding(tag)
      return
    }
    open.begin(tag, element, style)
    if isHidden || style?.isInvisible == true, HTMLElement.isVoid(tag.name) { return }
    begin(element, attributes)
  }

  /// The style of an element: its own, and what a style sheet of the page says of it.
  private func style(_ tag: HTMLTag, _ attributes: HTMLAttributes) -> HTMLStyle {
    var style = HTMLStyle(attributes)
    if let rule = sheet.display(of: tag, attributes) { style.apply(rule) }
    return style
  }

  private mutating func begin(_ element: HTMLElement, _ attributes: HTMLAttributes) {
    switch element {
    case .inline, .unseen, .rawUnseen, .code: break
    case .base: if base == nil { base = attributes.value("href") }
    case .block, .body: breakLine(1)
    case .paragraph: breakLine(2)
    case .lineBreak: layout.addBreak()
    case .rule: writeRule()
    case .link: beginLink(attributes)
    case .image: if !open.isInvisible || !honoursStyles { writePicture(attributes) }
    case .quotation:
      breakLine(1)
      layout.quoteDepth += 1
      layout.isAtBlockStart = true
    case .preformatted:
      breakLine(2)
      preformattedDepth += 1
    case .orderedList, .unorderedList: beginList(isOrdered: element == .orderedList, attributes)
    case .item: beginItem()
    case .table:
      breakLine(1)
      tables.append(HTMLTable())
    case .row: beginRow()
    case .cell: beginCell()
    }
  }

  private mutating func end(_ tag: HTMLTag) {
    let element = HTMLElement(tag.name)
    open.end(tag, element)
    switch element {
    case .inline, .unseen, .rawUnseen, .code, .base, .rule, .image, .cell: break
    case .block, .body, .item, .row: breakLine(1)
    case .paragraph: breakLine(2)
    case .lineBreak: layout.addBreak()
    case .link: endLink()
    case .quotation:
      breakLine(1)
      layout.quoteDepth = max(0, layout.quoteDepth - 1)
    case .preformatted:
      breakLine(2)
      preformattedDepth = max(0, preformattedDepth - 1)
    case .orderedList, .unorderedList: endList()
    case .table:
      _ = tables.popLast()
      layout.breakLine(1)
    }
  }

  private mutating func skipRaw(_ tag: HTMLTag, _ element: HTMLElement) {
    let key = HTMLElement.key(tag.name)
    if element == .rawUnseen { hasHidden = true }
    // Where no end tag follows, none follows later either: it is looked for once.
    let hasEnd = !endless.contains(key) && scanner.skip(toEndOf: tag.name)
    guard !hasEnd else {
      if honoursStyles, tag.name.equalsCaseless("style") {
        let attributes = HTMLAttributes(scanner.html[tag.attributes])
        sheet.add(scanner.html[tag.end..<scanner.index], media: attributes.value("media"))
      }
      return
    }
    endless.insert(key)
    let isCode = tag.name.equalsCaseless("script") || tag.name.equalsCaseless("style")
    scanner.move(to: isCode ? scanner.html.count : tag.end)
  }
}

// MARK: Text

extension HTMLRenderer {
  private mutating func write(_ text: ArraySlice<UInt8>) {
    if preformattedDepth > 0 { writePreformatted(text) } else { write(plain: text) }
  }

  private mutating func write(plain text: ArraySlice<UInt8>) {
    var index = text.startIndex
    while index < text.endIndex {
      let octet = text[index]
      if octet == ASCII.ampersand || octet <= ASCII.space || octet >= 0x7F {
        writeScalar(of: text, &index)
        continue
      }
      let start = index
      while index < text.endIndex, text[index] > ASCII.space, text[index] < 0x7F,
        text[index] != ASCII.ampersand
      { index += 1 }
      layout.write(text[start..<index])
    }
  }

  private mutating func writeScalar(of text: ArraySlice<UInt8>, _ index: inout Int) {
    if text[index] == ASCII.ampersand {
      if let (scalar, end) = HTMLEntities.reference(text[index...]) {
        layout.write(scalar: scalar)
        index = end
        return
      }
      layout.write(text[index...index])
      index += 1
      return
    }
    let (scalar, length) = UTF8Repair.scalar(text, index)
    layout.write(scalar: scalar)
    index += length
  }

  /// Writes text in which line ends and spaces count.
  private mutating func writePreformatted(_ text: ArraySlice<UInt8>) {
    var isAtLineStart = false
    for line in text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
      if isAtLineStart { layout.addBreak() }
      isAtLineStart = true
      let decoded = HTMLEntities.decode(line)
      let indent = decoded.prefix { ASCII.isBlank($0) }.count
      if indent > 0, indent < decoded.count {
        layout.write([UInt8](repeating: ASCII.space, count: indent)[...])
      }
      writeSpaced(decoded.dropFirst(indent))
    }
  }

  private mutating func writeSpaced(_ text: ArraySlice<UInt8>) {
    var index = text.startIndex
    while index < text.endIndex {
      if ASCII.isBlank(text[index]), index + 1 < text.endIndex {
        layout.write([ASCII.space])
        index += 1
        continue
      }
      let (scalar, length) = UTF8Repair.scalar(text, index)
      layout.write(scalar: scalar)
      index += length
    }
  }

  /// Writes what stands for a picture; a picture between two words keeps them apart, with such a text or without.
  private mutating func writePicture(_ attributes: HTMLAttributes) {
    layout.space()
    links.addPicture(attributes)
    guard let text = attributes.value("alt"), text.contains(where: { $0 > ASCII.space }) else {
      return
    }
    write(plain: text[...])
    layout.space()
  }

  private mutating func writeRule() {
    breakLine(1)
    layout.write([ASCII.minus, ASCII.minus, ASCII.minus])
    breakLine(1)
  }

  /// Asks for line ends, but not at the start of a cell, whose line is that of its row.
  private mutating func breakLine(_ count: Int) {
    if let table = tables.last, table.isInCell, table.cellStart == layout.octets.count { return }
    layout.breakLine(count)
  }
}

// MARK: Links, lists and tables

extension HTMLRenderer {
  private mutating func beginLink(_ attributes: HTMLAttributes) {
    endLink()
    guard showsLinks || room != nil, let href = attributes.value("href"),
      let url = LinkURL.shown(href, base: base)
    else { return }
    links.begin(url, at: layout.octets.count)
  }

  private mutating func endLink() {
    guard let (url, start) = links.open else { return }
    if room != nil { return collect(url, from: start) }
    let needsURL = needsURL(url, from: start)
    let isWritten = links.end(needsURL: needsURL)
    guard isWritten else { return }
    let address = [ASCII.lessThan] + url + [ASCII.greaterThan]
    if needsURL == nil {
      layout.space()
      layout.write(address[...])
      layout.space()
    } else {
      layout.annotate([ASCII.space] + address)
    }
  }

  private mutating func collect(_ url: [UInt8], from start: Int) {
    _ = links.end(needsURL: false)
    guard let left = room, left > 0, isTextSeen,
      url.startsCaseless(with: "http://") || url.startsCaseless(with: "https://")
    else { return }
    room = left - 1
    collected.append(PlainText.Link(text: [UInt8](layout.octets[start...]), url: url))
  }

  /// Whether the text of the link does not say where the link leads; nil where it has none.
  ///
  /// Apart, since a slice that lives on while the text grows would have it copied for every link.
  private func needsURL(_ url: [UInt8], from start: Int) -> Bool? {
    let text = layout.octets[start...]
    return text.contains { $0 > ASCII.space } ? !LinkURL.says(text, url) : nil
  }

  private mutating func beginList(isOrdered: Bool, _ attributes: HTMLAttributes) {
    breakLine(lists.isEmpty ? 2 : 1)
    let start = attributes.value("start").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 1
    lists.append(HTMLList(isOrdered: isOrdered, start: min(max(start, -9999), 999_999)))
    layout.listDepth = lists.count
  }

  private mutating func endList() {
    guard lists.popLast() != nil else { return }
    layout.mark = []
    layout.listDepth = lists.count
    layout.breakLine(lists.isEmpty ? 2 : 1)
  }

  private mutating func beginItem() {
    layout.breakLine(1)
    layout.mark = lists.isEmpty ? [ASCII.asterisk, ASCII.space] : lists[lists.count - 1].nextMark()
  }

  private mutating func beginRow() {
    layout.breakLine(1)
    guard !tables.isEmpty else { return }
    if tables[tables.count - 1].isLine(layout) { layout.breakOnce() }
    tables[tables.count - 1].beginRow(layout)
  }

  private mutating func beginCell() {
    guard !tables.isEmpty else {
      layout.space()
      return
    }
    let table = tables[tables.count - 1]
    if table.sharesLine(layout) {
      layout.gapInsteadOfBreak()
    } else if table.hasText(layout) {
      layout.breakLine(1)
    }
    tables[tables.count - 1].beginCell(at: layout.octets.count)
  }
}
