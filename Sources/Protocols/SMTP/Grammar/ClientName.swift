internal import Octets

/// The name a client gives itself in EHLO: a domain or an address literal (RFC 5321 §4.1.3).
package struct ClientName: Hashable, Sendable {
  /// The octets, 1…255 of them.
  package let octets: [UInt8]

  /// A name that tells nothing about the machine: `[127.0.0.1]`.
  package static let loopback = ClientName(unchecked: [UInt8](ascii: "[127.0.0.1]"))

  /// The name of these octets.
  ///
  /// `nil` when they are neither a domain in ASCII nor an address literal in brackets.
  package init?(_ octets: [UInt8]) {
    guard (1...255).contains(octets.count) else { return nil }
    var inner = octets[...]
    let isLiteral = inner.first == ASCII.openBracket && inner.last == ASCII.closeBracket
    if isLiteral { inner = inner.dropFirst().dropLast() }
    let isAllowed = inner.allSatisfy { octet in
      ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet == ASCII.dot || octet == ASCII.minus
        || octet == (isLiteral ? ASCII.colon : ASCII.underscore)
    }
    guard isAllowed, inner.contains(where: { ASCII.isLetter($0) || ASCII.isDigit($0) }) else {
      return nil
    }
    self.octets = octets
  }

  private init(unchecked octets: [UInt8]) {
    self.octets = octets
  }
}
