internal import Octets

/// On which line of a TOML text each key stands.
///
/// Reads a text that a TOML parser has accepted already, so it looks only at what tells keys from
/// values: strings, brackets, comments. On any other text it gives wrong lines, but ends.
struct TOMLLines {
  /// Keys and sections with all that stands above them, in the order of the text.
  private var places: [(path: [String], line: Int)] = []

  /// The line of the first string that holds an escaped NUL, `\u0000`; `nil` without one.
  private(set) var lineOfNUL: Int?

  private var rest: Cursor
  private var line = 1

  init(_ octets: [UInt8]) {
    rest = Cursor(octets)
    readDocument()
  }

  /// The line of the first mention of the key, from 1; else that of what stands below it.
  func line(of path: [String]) -> Int? {
    let exact = places.first { $0.path == path }
    return (exact ?? places.first { $0.path.starts(with: path) })?.line
  }

  // MARK: - Sections and keys

  private mutating func readDocument() {
    _ = rest.skip("\u{FEFF}")
    var section: [String] = []
    skipSpace()
    while let octet = rest.peek {
      if octet == ASCII.openBracket {
        section = readHeader()
      } else {
        readEntry(below: section)
      }
      skipSpace()
    }
  }

  private mutating func readHeader() -> [String] {
    let start = line
    while rest.skip(ASCII.openBracket) {}
    let path = readPath()
    places.append((path, start))
    while rest.skip(ASCII.closeBracket) {}
    return path
  }

  private mutating func readEntry(below section: [String]) {
    let start = line
    let before = rest.remaining.startIndex
    let path = section + readPath()
    places.append((path, start))
    _ = rest.skip(ASCII.equals)
    skipBlanks()
    readValue(at: path)
    // Whatever this was, it must not be read a second time.
    if rest.remaining.startIndex == before { _ = rest.next() }
  }

  private mutating func readPath() -> [String] {
    var path: [String] = []
    repeat {
      skipBlanks()
      path.append(readName())
      skipBlanks()
    } while rest.skip(ASCII.dot)
    return path
  }

  private mutating func readName() -> String {
    switch rest.peek {
    case ASCII.quote, ASCII.apostrophe: readString()
    default: String(decoding: rest.take(while: KeyName.isBare), as: UTF8.self)
    }
  }

  // MARK: - Values

  private mutating func readValue(at path: [String]) {
    switch rest.peek {
    case ASCII.quote, ASCII.apostrophe: _ = readString()
    case ASCII.openBracket: readArray(at: path)
    case ASCII.openBrace: readInlineTable(at: path)
    default: _ = rest.take { !Self.endsScalar($0) }
    }
  }

  private static func endsScalar(_ octet: UInt8) -> Bool {
    switch octet {
    case ASCII.comma, ASCII.closeBracket, ASCII.closeBrace, ASCII.hash, ASCII.lineFeed: true
    default: false
    }
  }

  private mutating func readArray(at path: [String]) {
    _ = rest.next()
    skipSpace()
    while let octet = rest.peek, octet != ASCII.closeBracket {
      let before = rest.remaining.startIndex
      readValue(at: path)
      skipSpace()
      _ = rest.skip(ASCII.comma)
      skipSpace()
      if rest.remaining.startIndex == before { _ = rest.next() }
    }
    _ = rest.next()
  }

  private mutating func readInlineTable(at path: [String]) {
    _ = rest.next()
    skipSpace()
    while let octet = rest.peek, octet != ASCII.closeBrace {
      readEntry(below: path)
      skipSpace()
      _ = rest.skip(ASCII.comma)
      skipSpace()
    }
    _ = rest.next()
  }

  // MARK: - Strings

  private mutating func readString() -> String {
    if rest.skip(#"""""#) { return readBasic(until: #"""""#) }
    if rest.skip("'''") { return readLiteral(until: "'''") }
    if rest.skip(ASCII.quote) { return readBasic(until: "\"") }
    _ = rest.next()
    return readLiteral(until: "'")
  }

  private mutating func readLiteral(until end: StaticString) -> String {
    var octets: [UInt8] = []
    while !rest.isAtEnd, !rest.skip(end) { octets.append(takeOctet()) }
    return String(decoding: octets, as: UTF8.self) + closingQuotes(end)
  }

  private mutating func readBasic(until end: StaticString) -> String {
    var text = ""
    var octets: [UInt8] = []
    while !rest.isAtEnd, !rest.skip(end) {
      guard rest.skip(ASCII.backslash) else {
        octets.append(takeOctet())
        continue
      }
      text += String(decoding: octets, as: UTF8.self) + readEscape()
      octets = []
    }
    return text + String(decoding: octets, as: UTF8.self) + closingQuotes(end)
  }

  /// A multi-line string may end with up to two quotes of its own before the three that close it.
  private mutating func closingQuotes(_ end: StaticString) -> String {
    guard end.utf8CodeUnitCount == 3 else { return "" }
    let quote = end.utf8Start.pointee
    var own = ""
    while own.utf8.count < 2, rest.skip(quote) { own.unicodeScalars.append(Unicode.Scalar(quote)) }
    return own
  }

  private mutating func readEscape() -> String {
    let letter = takeOctet()
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "e"): return "\u{1B}"
    case UInt8(ascii: "x"): return readScalar(digits: 2)
    case UInt8(ascii: "u"): return readScalar(digits: 4)
    case UInt8(ascii: "U"): return readScalar(digits: 8)
    default: return String(decoding: [letter], as: UTF8.self)
    }
  }

  private mutating func readScalar(digits: Int) -> String {
    guard let value = rest.take(count: digits).flatMap({ Hex.value($0) }) else { return "" }
    if value == 0, lineOfNUL == nil { lineOfNUL = line }
    return UInt32(exactly: value).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
  }

  // MARK: - Octets

  private mutating func takeOctet() -> UInt8 {
    guard let octet = rest.next() else { return ASCII.space }
    if octet == ASCII.lineFeed { line += 1 }
    return octet
  }

  private mutating func skipBlanks() {
    _ = rest.take(while: ASCII.isBlank)
  }

  /// Reads past blanks, line ends and comments.
  private mutating func skipSpace() {
    while let octet = rest.peek {
      switch octet {
      case ASCII.hash: _ = rest.take { $0 != ASCII.lineFeed }
      case ASCII.space, ASCII.tab, ASCII.carriageReturn, ASCII.lineFeed: _ = takeOctet()
      default: return
      }
    }
  }
}
