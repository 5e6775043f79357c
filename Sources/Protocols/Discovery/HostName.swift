internal import Octets

/// The name of a server that others named: a domain name of at least two labels, in lower case and with A-labels
/// (RFC 5890), that is no address and not reserved for this machine or network.
package struct HostName: Hashable, Sendable {
  /// The name, without a dot at its end.
  package let text: String

  /// Domains in which names mean something else on every network, or nothing (RFC 6761, 6762, 7686, 8375, 9476).
  private static let reserved = [
    "localhost", "localdomain", "local", "internal", "intranet", "private", "lan", "home",
    "invalid", "onion", "alt", "arpa",
  ]

  /// Takes a name.
  ///
  /// - Parameters:
  ///   - name: octets, UTF-8 where they are not ASCII; one dot at the end does not count.
  ///   - asciiForm: gives an international name with A-labels; nil where it is none.
  package init?(
    _ name: some Collection<UInt8>,
    asciiForm: ([UInt8]) -> [UInt8]? = { _ in nil }
  ) {
    var octets = [UInt8](name)
    if octets.last == ASCII.dot { octets.removeLast() }
    if octets.contains(where: { $0 > 0x7F }) {
      guard let form = asciiForm(octets) else { return nil }
      octets = form
    }
    octets = octets.map(ASCII.lowercased)
    let labels = octets.split(separator: ASCII.dot, omittingEmptySubsequences: false)
    guard octets.count <= 253, labels.count > 1, labels.allSatisfy({ Self.isLabel($0) }),
      let last = labels.last, !last.allSatisfy(ASCII.isDigit), !last.starts(with: "0x".utf8)
    else { return nil }
    let text = String(decoding: octets, as: UTF8.self)
    guard !Self.reserved.contains(String(decoding: last, as: UTF8.self)) else { return nil }
    self.text = text
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    !label.isEmpty && label.count <= 63 && label.first != ASCII.minus && label.last != ASCII.minus
      && label.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.minus }
  }

  /// Whether it is this domain, or lies in it.
  package func isIn(_ domain: String) -> Bool { text == domain || text.hasSuffix(".\(domain)") }

  /// The labels from the left.
  var labels: [Substring] { text.split(separator: ".") }

  /// The name without its first label; nil where one label is left then.
  var parent: HostName? { HostName(labels.dropFirst().joined(separator: ".").utf8) }
}

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
