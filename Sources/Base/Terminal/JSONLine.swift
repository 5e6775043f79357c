internal import Octets

/// A JSON object (RFC 8259) on one line, member by member in the order they are added.
///
/// No text can break it: controls, DEL, C1, line separators and bidirectional
/// controls are written `\uXXXX`. Names are the program's own, must differ and have nothing to escape.
package struct JSONLine: Sendable {
  private var members: [UInt8] = []

  /// An object without members.
  package init() {}

  /// The object with its line end, ready for the console.
  package var octets: [UInt8] {
    [ASCII.openBrace] + members + [ASCII.closeBrace, ASCII.lineFeed]
  }

  /// Adds a text.
  package mutating func add(_ name: String, _ text: String) {
    begin(name)
    Self.append(text, to: &members)
  }

  /// Adds a text if there is one; `nil` leaves the member out.
  package mutating func add(_ name: String, ifPresent text: String?) {
    if let text { add(name, text) }
  }

  /// Adds octets as text.
  ///
  /// Where they are not UTF-8, the text has U+FFFD for what cannot be decoded. A second member `NAME-octets` then has all of
  /// them in hexadecimal digits.
  package mutating func add(_ name: String, octets: some Collection<UInt8>) {
    add(name, String(decoding: octets, as: UTF8.self))
    if String(validating: octets, as: UTF8.self) == nil {
      add(name + "-octets", String(decoding: Hex.encode(octets), as: UTF8.self))
    }
  }

  /// Adds a whole number, in full: readers that keep numbers as doubles lose digits above 2^53.
  package mutating func add(_ name: String, _ number: some BinaryInteger) {
    begin(name)
    members += Array(decimal: number)
  }

  /// Adds a number with a fraction; `null` where it is not finite, since JSON has no such number.
  package mutating func add(_ name: String, _ number: Double) {
    begin(name)
    members += Array((number.isFinite ? "\(number)" : "null").utf8)
  }

  /// Adds `true` or `false`.
  package mutating func add(_ name: String, _ flag: Bool) {
    begin(name)
    members += Array((flag ? "true" : "false").utf8)
  }

  /// Adds `null`.
  package mutating func addNull(_ name: String) {
    begin(name)
    members += [UInt8](ascii: "null")
  }

  /// Adds an array of texts.
  package mutating func add(_ name: String, _ texts: [String]) {
    begin(name)
    members.append(ASCII.openBracket)
    for (index, text) in texts.enumerated() {
      if index > 0 { members.append(ASCII.comma) }
      Self.append(text, to: &members)
    }
    members.append(ASCII.closeBracket)
  }

  /// Adds an array of octets as texts.
  ///
  /// Where any of them are not UTF-8, a second member `NAME-octets` gives each in hexadecimal digits.
  package mutating func add(_ name: String, octets list: [[UInt8]]) {
    add(name, list.map { String(decoding: $0, as: UTF8.self) })
    if list.contains(where: { String(validating: $0, as: UTF8.self) == nil }) {
      add(name + "-octets", list.map { String(decoding: Hex.encode($0), as: UTF8.self) })
    }
  }

  /// Adds an array of texts, with `null` where there is none.
  package mutating func add(_ name: String, orNull texts: [String?]) {
    begin(name)
    members.append(ASCII.openBracket)
    for (index, text) in texts.enumerated() {
      if index > 0 { members.append(ASCII.comma) }
      if let text { Self.append(text, to: &members) } else { members += [UInt8](ascii: "null") }
    }
    members.append(ASCII.closeBracket)
  }

  /// Adds an object.
  package mutating func add(_ name: String, _ object: JSONLine) {
    begin(name)
    members += object.octets.dropLast()
  }

  /// Adds an array of objects.
  package mutating func add(_ name: String, _ objects: [JSONLine]) {
    begin(name)
    members.append(ASCII.openBracket)
    members += objects.map { $0.octets.dropLast() }.joined(separator: [ASCII.comma])
    members.append(ASCII.closeBracket)
  }

  private mutating func begin(_ name: String) {
    if !members.isEmpty { members.append(ASCII.comma) }
    members.append(ASCII.quote)
    members += name.utf8
    members += [ASCII.quote, ASCII.colon]
  }

  private static func append(_ text: String, to octets: inout [UInt8]) {
    octets.append(ASCII.quote)
    defer { octets.append(ASCII.quote) }
    // Most texts have nothing to escape.
    if text.utf8.allSatisfy({ isPlain($0) }) {
      octets += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": octets += [ASCII.backslash, UInt8(ascii: scalar)]
      case "\n": octets += [ASCII.backslash, UInt8(ascii: "n")]
      case "\t": octets += [ASCII.backslash, UInt8(ascii: "t")]
      default:
        if needsEscape(scalar) {
          appendEscape(scalar.value, to: &octets)
        } else {
          octets += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
      }
    }
  }

  private static func isPlain(_ octet: UInt8) -> Bool {
    octet >= 0x20 && octet < 0x7F && octet != ASCII.quote && octet != ASCII.backslash
  }

  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  private static func appendEscape(_ value: UInt32, to octets: inout [UInt8]) {
    octets += [ASCII.backslash, UInt8(ascii: "u")]
    octets += Hex.digits(UInt64(value)).suffix(4)
  }
}
