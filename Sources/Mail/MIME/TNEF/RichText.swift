internal import Octets

/// Rich text as HTML: the text and its lines, or the HTML that Outlook wrapped into it (MS-OXRTFEX).
struct RichText {
  /// What a group says of the text in it.
  private struct Group {
    /// How many characters stand for each number of Unicode, for readers that know none.
    var fallbacks = 1
    /// Whether nothing in it is text.
    var isIgnored = false
    /// Whether its text is only for readers that know no HTML.
    var isReplaced = false
  }

  private var rest: ArraySlice<UInt8>
  private var group = Group()
  private var groups: [Group] = []
  private var codePage = 1252
  private var isHTML = false
  private var page: [UInt8] = []
  /// Whether a group began just now, which its first word is about.
  private var isAtGroupStart = false
  /// Whether unknown words mean that the group is no text.
  private var isOptional = false
  private var skipped = 0
  private var highSurrogate: Int?

  /// The page.
  static func html(_ rich: [UInt8]) -> MAPIProperties.Text {
    var text = RichText(rest: rich[...])
    while let octet = text.rest.popFirst() { text.readOctet(octet) }
    return MAPIProperties.Text(octets: text.page, charset: "cp\(text.codePage)")
  }

  private init(rest: ArraySlice<UInt8>) {
    self.rest = rest
  }

  private mutating func readOctet(_ octet: UInt8) {
    switch octet {
    case ASCII.openBrace:
      groups.append(group)
      isAtGroupStart = true
      isOptional = false
      return
    case ASCII.closeBrace:
      if let outer = groups.popLast() { group = outer }
      skipped = 0
    case ASCII.backslash: takeControl()
    case ASCII.carriageReturn, ASCII.lineFeed: return
    default: write(octet)
    }
    if octet != ASCII.backslash { isAtGroupStart = false }
  }

  private mutating func takeControl() {
    guard let first = rest.first else { return }
    guard ASCII.isLetter(first) else {
      rest.removeFirst()
      takeSymbol(first)
      return
    }
    let word = rest.prefix(32).prefix { ASCII.isLetter($0) }
    rest = rest[word.endIndex...]
    let isNegative = rest.first == ASCII.minus
    let digits = rest.dropFirst(isNegative ? 1 : 0).prefix(9).prefix { ASCII.isDigit($0) }
    var number: Int?
    if !digits.isEmpty {
      number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } * (isNegative ? -1 : 1)
      rest = rest[digits.endIndex...]
    }
    if rest.first == ASCII.space { rest.removeFirst() }
    takeWord(String(decoding: word, as: UTF8.self), number)
    isAtGroupStart = false
    isOptional = false
  }

  private mutating func takeSymbol(_ symbol: UInt8) {
    switch symbol {
    case ASCII.asterisk where isAtGroupStart:
      isOptional = true
      return
    case ASCII.apostrophe:
      let digits = rest.prefix(2)
      rest = rest.dropFirst(2)
      if let octet = Hex.decode(digits)?.first { write(octet) }
    case UInt8(ascii: "~"): write(ASCII.space)
    case ASCII.carriageReturn, ASCII.lineFeed: writeLineEnd()
    case ASCII.backslash, ASCII.openBrace, ASCII.closeBrace: write(symbol)
    default: break
    }
    isAtGroupStart = false
  }

  private static let destinations: Set<String> = [
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "headerl",
    "headerr", "headerf", "footerl", "footerr", "footerf", "listtable", "listoverridetable",
    "rsidtbl", "generator", "fldinst", "xmlnstbl", "themedata", "datastore", "latentstyles",
  ]

  private mutating func takeWord(_ word: String, _ number: Int?) {
    switch word {
    case "ansicpg": codePage = number ?? codePage
    case "fromhtml": isHTML = true
    case "htmlrtf": group.isReplaced = number != 0
    case "htmltag" where isOptional: group.isIgnored = !isHTML
    case "uc": group.fallbacks = min(max(number ?? 1, 0), 100)
    case "u": if let number { writeUnicode(number) }
    case "bin": rest = rest.dropFirst(max(0, number ?? 0))
    case "par", "line", "sect", "page", "row": writeLineEnd()
    case "tab", "cell": write(isHTML ? ASCII.tab : ASCII.space)
    case "lquote", "rquote": write(ASCII.apostrophe)
    case "ldblquote", "rdblquote": write(markup: "&quot;")
    case "bullet": write(markup: "&bull;")
    case "endash", "emdash": write(ASCII.minus)
    default:
      if isOptional || isAtGroupStart && Self.destinations.contains(word) { group.isIgnored = true }
    }
  }

  // MARK: Text

  private var isText: Bool { !group.isIgnored && !group.isReplaced }

  private mutating func write(_ octet: UInt8) {
    guard skipped == 0 else {
      skipped -= 1
      return
    }
    guard isText else { return }
    switch octet {
    case ASCII.lessThan where !isHTML: page.append(ascii: "&lt;")
    case ASCII.greaterThan where !isHTML: page.append(ascii: "&gt;")
    case ASCII.ampersand where !isHTML: page.append(ascii: "&amp;")
    default: page.append(octet)
    }
  }

  private mutating func write(markup: StaticString) {
    if isText { page.append(ascii: markup) }
  }

  private mutating func writeLineEnd() {
    guard isText else { return }
    if !isHTML { page.append(ascii: "<br>") }
    page.append(ASCII.lineFeed)
  }

  /// Writes a number of UTF-16, which is negative from 32768 on.
  private mutating func writeUnicode(_ number: Int) {
    skipped = group.fallbacks
    let unit = number & 0xFFFF
    if (0xD800...0xDBFF).contains(unit) {
      highSurrogate = unit
      return
    }
    var scalar = unit
    if (0xDC00...0xDFFF).contains(unit), let high = highSurrogate {
      scalar = 0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00)
    }
    highSurrogate = nil
    if isText { page += "&#\(scalar);".utf8 }
  }
}

/// Rich text as Outlook compresses it (MS-OXRTFCP).
enum CompressedRTF {
  private static let start = [UInt8](
    ("{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
      + "\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0"
      + "\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx").utf8
  )

  private static let windowSize = 4096

  /// The text, at most nine times as long; nil where it is none.
  static func decode(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
    var reader = LittleEndianReader(octets)
    guard reader.number(4) != nil, let size = reader.number(4), let kind = reader.number(4),
      reader.number(4) != nil
    else { return nil }
    switch kind {
    case 0x414C_454D: return [UInt8](reader.rest.prefix(size))
    case 0x7546_5A4C: return decode(&reader, size)
    default: return nil
    }
  }

  private static func decode(_ reader: inout LittleEndianReader, _ size: Int) -> [UInt8] {
    var window = start + [UInt8](repeating: ASCII.space, count: windowSize - start.count)
    var position = start.count
    var result: [UInt8] = []
    func write(_ octet: UInt8) {
      result.append(octet)
      window[position] = octet
      position = (position + 1) % windowSize
    }
    while result.count < size, let control = reader.number(1) {
      for bit in 0..<8 where result.count < size {
        guard control >> bit & 1 == 1 else {
          guard let octet = reader.number(1) else { return result }
          write(UInt8(octet))
          continue
        }
        guard let high = reader.number(1), let low = reader.number(1) else { return result }
        let offset = high << 4 | low >> 4
        if offset == position { return result }
        for index in 0..<(low & 0xF) + 2 { write(window[(offset + index) % windowSize]) }
      }
    }
    return result
  }
}
