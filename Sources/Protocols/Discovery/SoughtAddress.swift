internal import Octets

/// A mail address whose servers are looked for.
package struct SoughtAddress: Hashable, Sendable {
  /// The address as it was given.
  package let text: String
  /// What stands before the last `@`, with quotes where it has some.
  package let localPart: String
  /// The domain behind it, with A-labels.
  package let domain: HostName

  /// Why a text is no such address.
  package enum Problem: Error, Hashable, Sendable {
    /// It has no `@` with something before and behind it, a second one without quotes, a dot at its end, or blanks or control
    /// characters.
    case notAnAddress
    /// What stands behind the `@` is no domain of the Internet.
    case notADomain(String)
  }

  /// Parses an address.
  ///
  /// - Parameters:
  ///   - text: the address, which may hold quotes and UTF-8.
  ///   - asciiForm: gives an international name with A-labels; nil where it is none.
  /// - Throws: why it is no address.
  package init(_ text: String, asciiForm: ([UInt8]) -> [UInt8]?) throws(Problem) {
    guard let place = text.utf8.lastIndex(of: ASCII.at), place != text.utf8.startIndex,
      text.utf8.index(after: place) != text.utf8.endIndex, text.utf8.count <= 320,
      !text.utf8.contains(where: { $0 == ASCII.space || ASCII.isControl($0) }),
      text.utf8.last != ASCII.dot,
      text.utf8.first == ASCII.quote || text.utf8.firstIndex(of: ASCII.at) == place
    else { throw .notAnAddress }
    let domain = String(text[text.utf8.index(after: place)...])
    guard let host = HostName(domain.utf8, asciiForm: asciiForm) else { throw .notADomain(domain) }
    self.text = text
    localPart = String(text[..<place])
    self.domain = host
  }
}
