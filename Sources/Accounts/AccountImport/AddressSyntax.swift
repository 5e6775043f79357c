internal import Octets

/// Texts that may be mail addresses.
enum AddressSyntax {
  /// Whether the configuration takes the text as an address: something, an `@`, something, and no blanks.
  static func isAddress(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: ASCII.at, omittingEmptySubsequences: false)
    return parts.count >= 2 && parts.allSatisfy { !$0.isEmpty }
      && !text.utf8.contains { $0 == ASCII.space || ASCII.isControl($0) }
  }
}
