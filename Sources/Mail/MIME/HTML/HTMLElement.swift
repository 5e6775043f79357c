internal import Octets

/// What an HTML element does to text.
enum HTMLElement {
  /// Nothing: its text flows on.
  case inline
  /// Begins and ends a line.
  case block
  /// Is set apart by empty lines.
  case paragraph
  /// Its content is markup that is not shown; ends at its end tag.
  case unseen
  /// Its content is text that is not shown and holds no markup; ends at its end tag.
  case rawUnseen
  /// As ``rawUnseen``, and its content is for programs.
  case code
  case lineBreak
  case rule
  case link
  case image
  case quotation
  case preformatted
  case orderedList
  case unorderedList
  case item
  case table
  case row
  case cell
  case body
  /// Tells what the relative links of the page are relative to.
  case base

  /// The element with that name in small letters.
  init(_ name: ArraySlice<UInt8>) {
    self = HTMLElement.elements[HTMLElement.key(name)] ?? .inline
  }

  /// Whether it never has an end tag.
  static func isVoid(_ name: ArraySlice<UInt8>) -> Bool {
    voids.contains(key(name))
  }

  /// The first seven letters and the length, in one number.
  static func key(_ name: some Collection<UInt8>) -> UInt64 {
    var key: UInt64 = 0
    for octet in name.prefix(7) { key = key << 8 | UInt64(octet) }
    return key << 8 | UInt64(truncatingIfNeeded: name.count & 0xFF)
  }

  private static let voids: Set<UInt64> = keys(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr"
  )

  private static func keys(_ names: String) -> Set<UInt64> {
    Set(names.split(separator: " ").map { key($0.utf8) })
  }

  private static let elements: [UInt64: HTMLElement] = {
    var elements: [UInt64: HTMLElement] = [:]
    for (element, names) in names {
      for key in keys(names) { elements[key] = element }
    }
    return elements
  }()

  private static let names: [(HTMLElement, String)] = [
    (
      .block,
      "address article aside caption center dd details dialog div dt fieldset figcaption figure"
        + " footer form header hgroup html legend main nav option section summary tbody tfoot thead"
    ),
    (.paragraph, "p h1 h2 h3 h4 h5 h6 dl"),
    (.unseen, "object applet audio video canvas map select datalist svg math template"),
    (.rawUnseen, "title textarea iframe noembed noframes"), (.code, "script style xml"),
    (.lineBreak, "br"), (.base, "base"), (.rule, "hr"), (.link, "a"), (.image, "img"),
    (.quotation, "blockquote"), (.preformatted, "pre listing xmp plaintext"),
    (.orderedList, "ol"), (.unorderedList, "ul menu dir"), (.item, "li"),
    (.table, "table"), (.row, "tr"), (.cell, "td th"), (.body, "body"),
  ]
}

/// A tag as it was read.
struct HTMLTag {
  /// The name in small letters.
  let name: ArraySlice<UInt8>

  let isEnd: Bool

  /// Where the attributes stand in the text; they are read only where they matter.
  let attributes: Range<Int>

  /// Where the text goes on.
  let end: Int
}

/// The attributes of a tag, read once from left to right.
struct HTMLAttributes {
  private let text: ArraySlice<UInt8>

  /// - Parameter text: What stands between the name of the tag and its `>`.
  init(_ text: ArraySlice<UInt8>) {
    self.text = text
  }

  /// The value of the first attribute of that name, entities undone; `nil` when there is none.
  func value(_ name: StaticString) -> [UInt8]? {
    var cursor = Cursor(text)
    while let attribute = Self.next(&cursor) {
      if attribute.name.equalsCaseless(name) { return HTMLEntities.decode(attribute.value) }
    }
    return nil
  }

  /// All attributes, each with its value as it stands in the text.
  var all: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
    var cursor = Cursor(text)
    var attributes: [(ArraySlice<UInt8>, ArraySlice<UInt8>)] = []
    while let attribute = Self.next(&cursor) { attributes.append(attribute) }
    return attributes
  }

  private static func next(
    _ cursor: inout Cursor
  ) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    guard !cursor.isAtEnd else { return nil }
    _ = cursor.take { isFiller($0) }
    let name = cursor.take { !isFiller($0) && $0 != ASCII.equals }
    _ = cursor.take { $0 <= ASCII.space }
    var value: ArraySlice<UInt8> = []
    if cursor.skip(ASCII.equals) { value = Self.value(&cursor) }
    return (name, value)
  }

  private static func value(_ cursor: inout Cursor) -> ArraySlice<UInt8> {
    _ = cursor.take { $0 <= ASCII.space }
    guard let quote = cursor.peek, quote == ASCII.quote || quote == ASCII.apostrophe else {
      return cursor.take { $0 > ASCII.space }
    }
    _ = cursor.next()
    let value = cursor.take { $0 != quote }
    _ = cursor.next()
    return value
  }

  private static func isFiller(_ octet: UInt8) -> Bool {
    octet <= ASCII.space || octet == ASCII.slash
  }
}
