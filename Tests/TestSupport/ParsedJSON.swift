/// A JSON text as a value, parsed strictly (RFC 8259) by the tests themselves, to check what programs print.
package indirect enum ParsedJSON: Sendable, Hashable {
  /// null
  case null
  /// true or false
  case boolean(Bool)
  /// A number in its own text.
  case number(String)
  /// A string, unescaped.
  case string(String)
  /// An array.
  case array([ParsedJSON])
  /// An object; a name that comes twice is malformed.
  case object([String: ParsedJSON])

  /// An element of an array.
  package subscript(index: Int) -> ParsedJSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// A member of an object; nil for anything else.
  package subscript(name: String) -> ParsedJSON? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  /// The text of a string; nil for anything else.
  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a whole number; nil for anything else.
  package var integer: Int? {
    guard case .number(let text) = self else { return nil }
    return Int(text)
  }

  /// Parses one whole text.
  ///
  /// - Throws: `HarnessError` that names the place.
  package init(_ text: String) throws {
    var parser = Parser(rest: Array(text.unicodeScalars)[...])
    self = try parser.value()
    parser.skipSpace()
    guard parser.rest.isEmpty else { throw parser.error("the end") }
  }

  private struct Parser {
    var rest: ArraySlice<Unicode.Scalar>

    func error(_ expected: String) -> HarnessError {
      HarnessError(
        "JSON: \(expected) expected at “\(String(String.UnicodeScalarView(rest.prefix(40))))”"
      )
    }

    mutating func skipSpace() {
      rest = rest.drop { " \t\r\n".unicodeScalars.contains($0) }
    }

    mutating func take(_ text: String) -> Bool {
      guard rest.starts(with: text.unicodeScalars) else { return false }
      rest = rest.dropFirst(text.unicodeScalars.count)
      return true
    }

    mutating func value() throws -> ParsedJSON {
      skipSpace()
      if take("null") { return .null }
      if take("true") { return .boolean(true) }
      if take("false") { return .boolean(false) }
      if take("\"") { return .string(try string()) }
      if take("[") { return .array(try array()) }
      if take("{") { return .object(try object()) }
      return try number()
    }

    mutating func number() throws -> ParsedJSON {
      let digits = rest.prefix { "+-.eE0123456789".unicodeScalars.contains($0) }
      let text = String(String.UnicodeScalarView(digits))
      guard Double(text) != nil, !text.hasPrefix("+"), !text.hasPrefix(".") else {
        throw error("a value")
      }
      rest = rest.dropFirst(digits.count)
      return .number(text)
    }

    mutating func array() throws -> [ParsedJSON] {
      var values: [ParsedJSON] = []
      skipSpace()
      if take("]") { return [] }
      repeat {
        values.append(try value())
        skipSpace()
      } while take(",")
      guard take("]") else { throw error("]") }
      return values
    }

    mutating func object() throws -> [String: ParsedJSON] {
      var members: [String: ParsedJSON] = [:]
      skipSpace()
      if take("}") { return [:] }
      repeat {
        skipSpace()
        guard take("\"") else { throw error("a name") }
        let name = try string()
        skipSpace()
        guard take(":"), members[name] == nil else { throw error("a colon, each name once,") }
        members[name] = try value()
        skipSpace()
      } while take(",")
      guard take("}") else { throw error("}") }
      return members
    }

    mutating func string() throws -> String {
      var units: [UInt16] = []
      while let scalar = rest.popFirst() {
        if scalar == "\"" { return String(decoding: units, as: UTF16.self) }
        guard scalar.value >= 32 else { throw error("no raw control character") }
        units += scalar == "\\" ? [try escape()] : Array(String(Character(scalar)).utf16)
      }
      throw error("the end of a string")
    }

    mutating func escape() throws -> UInt16 {
      switch rest.popFirst() {
      case "\"": return 34
      case "\\": return 92
      case "/": return 47
      case "b": return 8
      case "f": return 12
      case "n": return 10
      case "r": return 13
      case "t": return 9
      case "u":
        let digits = String(String.UnicodeScalarView(rest.prefix(4)))
        guard digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) else { break }
        rest = rest.dropFirst(4)
        return unit
      default: break
      }
      throw error("an escape")
    }
  }
}
