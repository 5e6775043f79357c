internal import Octets
internal import TOMLKit

/// A TOML text as a tree of values with the lines of their keys.
struct TOMLDocument {
  /// The entries of the document, in the order of the text.
  let root: [TOMLEntry]

  /// Reads a text.
  ///
  /// TOMLKit judges the syntax and gives the values; the lines, which it does not pass on, come
  /// from a second look at the text.
  /// - Throws: `SyntaxError` when the text is no TOML, is not UTF-8 or holds a NUL.
  init(_ octets: [UInt8]) throws(SyntaxError) {
    let text = try Self.text(of: octets)
    let table = try Self.table(of: text)
    let lines = TOMLLines(octets)
    // TOMLKit ends its strings at a NUL: a password behind one would be cut off in silence.
    if let line = lines.lineOfNUL { throw SyntaxError(line: line, problem: .containsNUL) }
    root = withExtendedLifetime(table) { Self.entries(of: table, below: [], lines: lines) }
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

  private static func table(of text: String) throws(SyntaxError) -> TOMLTable {
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let line = error.source.begin.line
      let words = error.description
      if words.contains("parsing string") || words.contains("parsing literal string"),
        Self.isOpen(text.split(separator: "\n", omittingEmptySubsequences: false), line)
      {
        throw SyntaxError(line: line, problem: .syntax(SyntaxError.openQuote))
      }
      let shown = Printable.text(words.utf8, limit: 300)
      throw SyntaxError(
        line: line,
        problem: .syntax(shown.prefix(1).lowercased() + shown.dropFirst())
      )
    } catch {
      throw SyntaxError(line: nil, problem: .syntax("not TOML"))
    }
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

  private static func entries(
    of table: TOMLTable,
    below path: [String],
    lines: TOMLLines
  ) -> [TOMLEntry] {
    let entries = zip(table.keys, table.values).map { key, value in
      let own = path + [key]
      return TOMLEntry(
        key: key,
        value: node(of: value, at: own, lines: lines),
        line: lines.line(of: own)
      )
    }
    return entries.sorted { ($0.line ?? .max) < ($1.line ?? .max) }
  }

  private static func node(
    of value: TOMLValue,
    at path: [String],
    lines: TOMLLines
  ) -> TOMLNode {
    switch value.type {
    case .table: .table(value.table.map { entries(of: $0, below: path, lines: lines) } ?? [])
    case .array: .array(value.array.map { elements(of: $0, at: path, lines: lines) } ?? [])
    case .string: .string(value.string ?? "")
    case .int: .integer(value.int ?? 0)
    case .bool: .boolean(value.bool ?? false)
    case .double: .other("a number with a fraction")
    case .date, .time, .dateTime: .other("a date or time")
    }
  }

  private static func elements(
    of array: TOMLArray,
    at path: [String],
    lines: TOMLLines
  ) -> [TOMLNode] {
    array.map { node(of: $0.tomlValue, at: path, lines: lines) }
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
    case .syntax(let words) where words.contains("could not determine value type"):
      "text stands in quotes: key = \"value\""
    case .containsNUL, .notText: "save the file as UTF-8 text"
    default: nil
    }
  }
}
