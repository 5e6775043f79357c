internal import Octets

/// Names of keys and sections with all that stands above them: `account.work.sync.direction`.
enum KeyName {
  /// The path as TOML writes it, parts that are not plain words in quotes.
  static func text(_ parts: [String]) -> String {
    parts.map(part).joined(separator: ".")
  }

  private static func part(_ name: String) -> String {
    guard name.isEmpty || !name.utf8.allSatisfy(isBare) else { return name }
    let quoted = name.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"\(Printable.text(String(quoted).utf8, limit: 100))\""
  }

  /// Whether the octet may stand in a key without quotes (TOML 1.0, "Keys").
  static func isBare(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.minus
      || octet == ASCII.underscore
  }
}
