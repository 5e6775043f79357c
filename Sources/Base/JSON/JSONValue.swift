internal import Octets

/// A value of JSON (RFC 8259) as a program gives it.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number, as it is written.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// The members in their order, each name once.
  case object([(name: String, value: JSONValue)])

  /// What is wrong with a text that is no JSON.
  package struct Problem: Error, Hashable, Sendable {
    package let expected: String
    /// In which line, from 1.
    package let line: Int
  }

  /// The value that a text holds, and nothing else.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - valueLimit: so many values it has at most, each of which takes many times the octets it may be written in.
  /// - Throws: `Problem` where it is no JSON, a name stands twice in one object, values are too many or lie too deep in each
  ///   other.
  package init(_ text: [UInt8], valueLimit: Int = .max) throws(Problem) {
    var reader = JSONReader(text, valueLimit: valueLimit)
    self = try reader.document()
  }

  /// The value of an object's member of that name; nil where there is none, or where this is no object.
  package func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The octets of a string; nil for all else.
  package var octets: [UInt8]? {
    if case .string(let text) = self { [UInt8](text.utf8) } else { nil }
  }

  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)):
      left.elementsEqual(right) { $0.name == $1.name && $0.value == $1.value }
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let flag): hasher.combine(flag)
    case .number(let text), .string(let text): hasher.combine(text)
    case .array(let values): hasher.combine(values)
    case .object(let members): for member in members { hasher.combine(member.name) }
    }
  }
}

/// Reads JSON from left to right.
private struct JSONReader {
  private static let depthLimit = 64

  private let octets: [UInt8]
  private var index = 0
  private var depth = 0
  /// How many more values there may be.
  private var room: Int

  init(_ octets: [UInt8], valueLimit: Int) {
    self.octets = octets
    room = valueLimit
  }

  mutating func document() throws(JSONValue.Problem) -> JSONValue {
    guard String(validating: octets, as: UTF8.self) != nil else { throw problem("UTF-8") }
    let value = try value()
    skipSpace()
    guard index == octets.count else { throw problem("the end") }
    return value
  }

  private func problem(_ expected: String) -> JSONValue.Problem {
    JSONValue.Problem(
      expected: expected,
      line: octets[..<index].reduce(1) { $0 + ($1 == ASCII.lineFeed ? 1 : 0) }
    )
  }

  private mutating func skipSpace() {
    while index < octets.count, [0x20, 0x09, 0x0A, 0x0D].contains(octets[index]) { index += 1 }
  }

  private mutating func skipText(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard text.withUTF8Buffer({ octets[index...].starts(with: $0) }) else { return false }
    index += count
    return true
  }

  private mutating func value() throws(JSONValue.Problem) -> JSONValue {
    skipSpace()
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw problem("less depth") }
    guard room > 0 else { throw problem("fewer values") }
    room -= 1
    if skipText("null") { return .null }
    if skipText("true") { return .boolean(true) }
    if skipText("false") { return .boolean(false) }
    if skipText("\"") { return .string(try string()) }
    if skipText("[") { return .array(try array()) }
    if skipText("{") { return .object(try object()) }
    return .number(try number())
  }

  private mutating func number() throws(JSONValue.Problem) -> String {
    let start = index
    while index < octets.count, "+-.eE0123456789".utf8.contains(octets[index]) { index += 1 }
    let text = String(decoding: octets[start..<index], as: UTF8.self)
    guard Double(text) != nil, !text.hasPrefix("+"), !text.hasPrefix(".") else {
      index = start
      throw problem("a value")
    }
    return text
  }

  private mutating func array() throws(JSONValue.Problem) -> [JSONValue] {
    var values: [JSONValue] = []
    skipSpace()
    if skipText("]") { return [] }
    repeat {
      values.append(try value())
      skipSpace()
    } while skipText(",")
    guard skipText("]") else { throw problem("\",\" or \"]\"") }
    return values
  }

  private mutating func object() throws(JSONValue.Problem) -> [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = []
    var names: Set<[UInt8]> = []
    skipSpace()
    if skipText("}") { return [] }
    repeat {
      skipSpace()
      guard skipText("\"") else { throw problem("a name in quotes") }
      let name = try string()
      guard names.insert([UInt8](name.utf8)).inserted else {
        throw problem("\"\(name)\" once only")
      }
      skipSpace()
      guard skipText(":") else { throw problem("\":\"") }
      members.append((name, try value()))
      skipSpace()
    } while skipText(",")
    guard skipText("}") else { throw problem("\",\" or \"}\"") }
    return members
  }

  /// What follows the quote that begins a text, to the one that ends it.
  private mutating func string() throws(JSONValue.Problem) -> String {
    var text: [UInt8] = []
    while index < octets.count {
      let octet = octets[index]
      index += 1
      switch octet {
      case ASCII.quote: return String(decoding: text, as: UTF8.self)
      case ASCII.backslash: text += try escape()
      case 0..<0x20: throw problem("no control character in a text")
      default: text.append(octet)
      }
    }
    throw problem("a quote that ends a text")
  }

  private mutating func escape() throws(JSONValue.Problem) -> [UInt8] {
    guard index < octets.count else { throw problem("an escape") }
    defer { index += 1 }
    switch octets[index] {
    case ASCII.quote, ASCII.backslash, ASCII.slash: return [octets[index]]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      index += 1
      let scalar = try scalar()
      index -= 1
      return [UInt8](String(scalar).utf8)
    default: throw problem("an escape")
    }
  }

  private mutating func scalar() throws(JSONValue.Problem) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), skipText("\\u") else {
      throw problem("a whole surrogate pair")
    }
    let second = try unit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw problem("a whole surrogate pair") }
    return scalar
  }

  private mutating func unit() throws(JSONValue.Problem) -> UInt32 {
    let digits = octets[index...].prefix(4)
    guard digits.count == 4, let value = Hex.value(digits) else {
      throw problem("four hexadecimal digits")
    }
    index += 4
    return UInt32(value)
  }
}
