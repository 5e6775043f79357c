internal import Octets

/// A mailbox as it stands between `<` and `>` in MAIL and RCPT (RFC 5321 §4.1.2).
///
/// Its octets cannot end the path or the line they are put in. Within that, what servers are known
/// to accept is allowed: dots anywhere in the local part, a name without domain, `_` in domains.
/// Source routes are not.
package struct EnvelopeAddress: Hashable, Sendable {
  /// The longest address, 1,000 octets.
  ///
  /// That is four times what a server must accept (RFC 5321 §4.5.3.1.3), and with all parameters
  /// still a line that servers read.
  package static let lengthLimit = 1000

  /// The octets, without angle brackets.
  package let octets: [UInt8]

  /// The address of these octets, without angle brackets.
  ///
  /// - Throws: `AddressError` when they would be read as something else than one address.
  package init(_ octets: [UInt8]) throws(AddressError) {
    guard octets.count <= Self.lengthLimit else { throw .tooLong(limit: Self.lengthLimit) }
    if let offset = octets.firstIndex(where: ASCII.isControl) {
      throw .forbiddenOctet(octets[offset], offset: offset)
    }
    guard String(validating: octets, as: UTF8.self) != nil else { throw .notUTF8 }
    var cursor = Cursor(octets)
    try Self.readLocalPart(&cursor)
    if !cursor.isAtEnd {
      guard cursor.skip(ASCII.at) else { throw Self.forbidden(cursor) }
      try Self.readDomain(&cursor)
    }
    self.octets = octets
  }

  /// Whether it says more than a name on one machine.
  package var hasDomain: Bool {
    octets.last.map { $0 != ASCII.quote } ?? false && octets.contains(ASCII.at)
  }

  /// What stands before the last at sign and behind it; nil without a domain.
  package var parts: (local: ArraySlice<UInt8>, domain: ArraySlice<UInt8>)? {
    guard hasDomain, let at = octets.lastIndex(of: ASCII.at) else { return nil }
    return (octets[..<at], octets[(at + 1)...])
  }

  /// Whether it can only be sent with SMTPUTF8 (RFC 6531): an octet above 127 is in it.
  package var isInternational: Bool { octets.contains { $0 > 127 } }

  /// Whether only the domain has octets above 127, so that the address has a form in ASCII.
  package var isInternationalInDomainOnly: Bool {
    guard let at = octets.lastIndex(of: ASCII.at) else { return false }
    return isInternational && octets[..<at].allSatisfy { $0 < 128 }
  }

  /// The address with an ASCII form of its domain where only that is above ASCII; else, and where there is no such
  /// form, as it is.
  func withASCIIDomain(_ asciiForm: ([UInt8]) -> [UInt8]?) -> EnvelopeAddress {
    guard isInternationalInDomainOnly, let at = octets.lastIndex(of: ASCII.at),
      let domain = asciiForm([UInt8](octets[(at + 1)...]))
    else { return self }
    // What comes from outside is read as strictly as everything else.
    return (try? EnvelopeAddress(octets[...at] + domain)) ?? self
  }
}

// Reading.
extension EnvelopeAddress {
  private static func readLocalPart(_ cursor: inout Cursor) throws(AddressError) {
    if cursor.skip(ASCII.quote) { return try readQuoted(&cursor) }
    guard cursor.take(while: isLocalOctet).isEmpty else { return }
    guard cursor.isAtEnd || cursor.peek == ASCII.at else { throw forbidden(cursor) }
    throw .noLocalPart
  }

  /// Reads the rest of a quoted string (RFC 5321 §4.1.2), which may be empty.
  private static func readQuoted(_ cursor: inout Cursor) throws(AddressError) {
    while let octet = cursor.next() {
      switch octet {
      case ASCII.quote: return
      case ASCII.backslash: _ = cursor.next()
      default: break
      }
    }
    throw .unbalanced
  }

  private static func readDomain(_ cursor: inout Cursor) throws(AddressError) {
    guard !cursor.isAtEnd else { throw .noDomain }
    if cursor.skip(ASCII.openBracket) {
      _ = cursor.take(while: isLiteralOctet)
      guard !cursor.isAtEnd else { throw .unbalanced }
      guard cursor.skip(ASCII.closeBracket) else { throw forbidden(cursor) }
    } else {
      _ = cursor.take(while: isDomainOctet)
    }
    guard cursor.isAtEnd else { throw forbidden(cursor) }
  }

  private static func forbidden(_ cursor: Cursor) -> AddressError {
    .forbiddenOctet(cursor.peek ?? ASCII.null, offset: cursor.remaining.startIndex)
  }

  /// Everything visible but what separates words and addresses (RFC 5322 §3.2.3 `specials`).
  private static func isLocalOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case ASCII.openParenthesis, ASCII.closeParenthesis, ASCII.lessThan, ASCII.greaterThan,
      ASCII.openBracket, ASCII.closeBracket, ASCII.colon, ASCII.semicolon, ASCII.at,
      ASCII.backslash, ASCII.comma, ASCII.quote, ASCII.space:
      false
    default: true
    }
  }

  private static func isDomainOctet(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet) || octet > 127
      || [ASCII.dot, ASCII.minus, ASCII.underscore].contains(octet)
  }

  private static func isLiteralOctet(_ octet: UInt8) -> Bool {
    ASCII.isLetter(octet) || ASCII.isDigit(octet)
      || [ASCII.dot, ASCII.minus, ASCII.colon].contains(octet)
  }
}

/// Why octets are no address that may go on the wire.
package enum AddressError: Error, Hashable, Sendable {
  /// Nothing stands before the `@`, or nothing at all.
  case noLocalPart

  /// Nothing stands behind the `@`.
  case noDomain

  /// An octet that is not allowed in its place; `offset` counts from 0.
  ///
  /// CR, LF, NUL and all other controls are allowed nowhere.
  case forbiddenOctet(UInt8, offset: Int)

  /// A quoted local part or an address literal does not end.
  case unbalanced

  /// Octets above 127 that are not UTF-8.
  case notUTF8

  /// Longer than `Address.lengthLimit`, in octets.
  case tooLong(limit: Int)
}
