internal import Octets

/// Writes strings and keys as TOML 1.0 has them; no text can break out of its quotes.
package enum TOMLText {
  /// A basic string; control characters, and those that would not be seen, are written as escapes.
  package static func string(_ text: String) -> String {
    "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  /// An array of strings, on one line.
  package static func array(_ texts: [String]) -> String {
    "[" + texts.map(string).joined(separator: ", ") + "]"
  }

  /// A table of strings by strings, on one line and in the order of its keys.
  package static func table(_ texts: [String: String]) -> String {
    let pairs = texts.sorted { $0.key < $1.key }.map { "\(string($0.key)) = \(string($0.value))" }
    return "{ " + pairs.joined(separator: ", ") + " }"
  }

  /// A part of a key: bare where it may be.
  package static func key(_ name: String) -> String {
    let isBare = name.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.minus || $0 == ASCII.underscore
    }
    return isBare && !name.isEmpty ? name : string(name)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\t": return "\\t"
    case "\n": return "\\n"
    case "\r": return "\\r"
    default: break
    }
    guard isHidden(scalar.value) else { return String(scalar) }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let isLong = digits.utf8.count > 4
    let zeros = String(repeating: "0", count: (isLong ? 8 : 4) - digits.utf8.count)
    return (isLong ? "\\U" : "\\u") + zeros + digits
  }

  private static func isHidden(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
      true
    case 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: true
    default: false
    }
  }
}
