/// Text of a configuration of offlineimap, some of which is Python.
enum PythonText {
  /// A text as Python writes it, in ASCII.
  static func literal(_ text: String) -> String {
    "'" + text.unicodeScalars.map(escaped).joined() + "'"
  }

  /// A list of texts.
  static func list(_ texts: [String]) -> String {
    "[" + texts.map(literal).joined(separator: ", ") + "]"
  }

  /// Pairs of texts.
  static func dictionary(_ pairs: [(String, String)]) -> String {
    "{" + pairs.map { "\(literal($0.0)): \(literal($0.1))" }.joined(separator: ", ") + "}"
  }

  /// A regular expression, as a raw text, that finds just the names which a pattern of the configuration finds.
  static func expression(_ patterns: [String]) -> String {
    let alternatives = patterns.map { pattern in
      pattern.unicodeScalars.map { scalar in
        switch scalar {
        case "*": ".*"
        case "%": "[^/]*"
        default: escaped(scalar)
        }
      }.joined()
    }
    return "r'(?s:\(alternatives.joined(separator: "|")))'"
  }

  /// A value of a key: a percent sign would begin the name of another key.
  static func value(_ text: String) -> String {
    text.unicodeScalars.map { $0 == "%" ? "%%" : String($0) }.joined()
  }

  /// Letters and digits are written as they are; the others mean the same in texts and in expressions this way.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    let isPlain =
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      || ("0"..."9").contains(scalar) || scalar == "/" || scalar == "_" || scalar == "-"
    if isPlain { return String(scalar) }
    let digits = String(scalar.value, radix: 16)
    let isShort = scalar.value <= 0xFFFF
    let zeros = String(repeating: "0", count: (isShort ? 4 : 8) - digits.count)
    return (isShort ? "\\u" : "\\U") + zeros + digits
  }
}
