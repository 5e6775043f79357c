internal import CTOMLReader
internal import Octets

/// A TOML text as a tree of values with the lines of their keys.
struct TOMLDocument {
  /// The entries of the document, in the order of the text.
  let root: [TOMLEntry]

  /// Reads a text.
  /// - Throws: `SyntaxError` when the text is no TOML, is not UTF-8 or holds a NUL.
  init(_ octets: [UInt8]) throws(SyntaxError) {
    let text = try Self.text(of: octets)
    let tree = try Self.tree(of: text)
    // A library would end it there: a password would be cut off in silence.
    if let line = tree.lineOfNUL { throw SyntaxError(line: line, problem: .containsNUL) }
    root = tree.root
  }

  private static func text(of octets: [UInt8]) throws(SyntaxError) -> String {
    if let place = octets.firstIndex(of: ASCII.null) {
      throw SyntaxError(line: line(of: place, in: octets), problem: .containsNUL)
    }
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw SyntaxError(line: lineOfInvalidText(octets), problem: .notText)
    }
    return text
  }

  private static func tree(of text: String) throws(SyntaxError) -> TOMLTree {
    var text = text
    var tree = TOMLTree()
    var error = magnum_toml_error()
    let isRead = text.withUTF8 { octets in
      octets.withMemoryRebound(to: CChar.self) { octets in
        withUnsafeMutablePointer(to: &tree) { tree in
          guard let start = octets.baseAddress else { return true }
          return magnum_toml_read(start, octets.count, tree, TOMLTree.take, &error) == 1
        }
      }
    }
    guard isRead else { throw mistake(error, in: text) }
    return tree
  }

  private static func mistake(_ error: magnum_toml_error, in text: String) -> SyntaxError {
    let line = error.line == 0 ? nil : Int(error.line)
    let words = withUnsafeBytes(of: error.words) { Array($0.prefix { $0 != ASCII.null }) }
    let shown = Printable.text(words, limit: 300)
    if let line, shown.holds("parsing string") || shown.holds("parsing literal string"),
      Self.isOpen(text.split(separator: "\n", omittingEmptySubsequences: false), line)
    {
      return SyntaxError(line: line, problem: .syntax(SyntaxError.openQuote))
    }
    return SyntaxError(
      line: line,
      problem: .syntax(shown.prefix(1).lowercased() + shown.dropFirst())
    )
  }

  /// Whether a line has a quotation mark that is not closed on it.
  private static func isOpen(_ lines: [Substring], _ number: Int) -> Bool {
    guard lines.indices.contains(number - 1) else { return false }
    var open: Character?
    var isEscaped = false
    for character in lines[number - 1] where character != "\r" {
      if isEscaped {
        isEscaped = false
      } else if open == "\"", character == "\\" {
        isEscaped = true
      } else if character == open {
        open = nil
      } else if open == nil, character == "\"" || character == "'" {
        open = character
      } else if open == nil, character == "#" {
        break
      }
    }
    return open != nil
  }

  private static func line(of place: Int, in octets: [UInt8]) -> Int {
    1 + octets[..<place].count { $0 == ASCII.lineFeed }
  }

  private static func lineOfInvalidText(_ octets: [UInt8]) -> Int? {
    let lines = octets.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
    return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
  }
}

/// What the reader hands over, put together.
private struct TOMLTree {
  /// The line of the first string that holds a NUL; `nil` without one.
  private(set) var lineOfNUL: Int?

  /// What was begun and has not ended, the document first.
  private var open: [Level] = []

  /// The document, once it has ended.
  private(set) var root: [TOMLEntry] = []

  /// A table or an array with what it holds so far; what is in an array has no key.
  private struct Level {
    let isTable: Bool
    let key: String
    let line: Int
    var entries: [TOMLEntry] = []

    var node: TOMLNode { isTable ? .table(entries) : .array(entries.map(\.value)) }
  }

  /// Takes an item; the context is a tree.
  static let take: @convention(c) (UnsafeMutableRawPointer?, magnum_toml_item) -> Void = {
    $0?.assumingMemoryBound(to: Self.self).pointee.add($1)
  }

  private mutating func add(_ item: magnum_toml_item) {
    let key = item.key.map { Self.text($0, item.key_length) } ?? ""
    let line = Int(item.line)
    switch item.kind {
    case magnum_toml_table, magnum_toml_array:
      open.append(Level(isTable: item.kind == magnum_toml_table, key: key, line: line))
    case magnum_toml_end:
      if let level = open.popLast() { put(level.node, level.key, level.line) }
    case magnum_toml_string: put(.string(string(item)), key, line)
    case magnum_toml_integer: put(.integer(Int(item.number)), key, line)
    case magnum_toml_boolean: put(.boolean(item.number != 0), key, line)
    case magnum_toml_fraction: put(.other("a number with a fraction"), key, line)
    default: put(.other("a date or time"), key, line)
    }
  }

  private mutating func put(_ node: TOMLNode, _ key: String, _ line: Int) {
    if let last = open.indices.last {
      open[last].entries.append(TOMLEntry(key: key, value: node, line: line))
    } else if case .table(let entries) = node {
      root = entries
    }
  }

  private mutating func string(_ item: magnum_toml_item) -> String {
    guard let start = item.text else { return "" }
    let text = Self.text(start, item.text_length)
    if lineOfNUL == nil, text.utf8.contains(ASCII.null) { lineOfNUL = Int(item.line) }
    return text
  }

  private static func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

/// A text that is not TOML.
struct SyntaxError: Error {
  /// The line, from 1; `nil` when it is not known.
  let line: Int?

  /// `.notText`, `.containsNUL` or `.syntax`.
  let problem: ConfigurationProblem

  /// What is said of a text that does not end on its line.
  static let openQuote = "the closing quotation mark is missing"

  /// What to do about the slips that are made most.
  var remedy: String? {
    switch problem {
    case .syntax(Self.openQuote): "close the text on the line that it begins on: key = \"value\""
    case .syntax(let words) where words.holds("could not determine value type"):
      "text stands in quotes: key = \"value\""
    case .containsNUL, .notText: "save the file as UTF-8 text"
    default: nil
    }
  }
}
