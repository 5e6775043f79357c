internal import Octets

/// One sender or receiver (RFC 5322 §3.4).
package struct Mailbox: Sendable, Hashable {
  /// The name for people, as UTF-8; empty when there is none.
  package let name: [UInt8]

  /// What stands before the `@`, quotes undone; may hold UTF-8 (RFC 6532).
  package let localPart: [UInt8]

  /// What stands behind the `@`, as written; empty when there is none.
  package let domain: [UInt8]

  package init(name: [UInt8], localPart: [UInt8], domain: [UInt8]) {
    self.name = name
    self.localPart = localPart
    self.domain = domain
  }

  /// The address as it is written in an envelope, the local part quoted where it has to be.
  ///
  /// Without `@` when there is no domain; empty when there is only a name.
  package var address: [UInt8] {
    guard !domain.isEmpty else { return localPart }
    return quotedLocalPart + [ASCII.at] + domain
  }

  private var quotedLocalPart: [UInt8] {
    guard needsQuotes else { return localPart }
    var result = [ASCII.quote]
    for octet in localPart {
      if octet == ASCII.quote || octet == ASCII.backslash { result.append(ASCII.backslash) }
      result.append(octet)
    }
    result.append(ASCII.quote)
    return result
  }

  private var needsQuotes: Bool {
    let specials = [UInt8](ascii: " \"(),:;<>@[\\]")
    return localPart.isEmpty || localPart.contains { specials.contains($0) }
  }

  /// An address without the tag that its owner put into it: `user@domain` of `user+tag@domain`.
  ///
  /// - Parameter address: an address, or what should be one.
  /// - Returns: the same where it has no tag, or nothing stands before it.
  package static func withoutTag(_ address: [UInt8]) -> [UInt8] {
    guard let at = address.lastIndex(of: ASCII.at),
      let plus = address[..<at].firstIndex(of: ASCII.plus), plus > 0
    else { return address }
    return [UInt8](address[..<plus] + address[at...])
  }
}

/// An entry of a list of addresses (RFC 5322 §3.4).
package enum Address: Sendable, Hashable {
  /// A single mailbox.
  case mailbox(Mailbox)
  /// A group: its name as UTF-8, and its members, possibly none.
  case group([UInt8], [Mailbox])

  /// The addresses in the value of a field such as To, as far as they can be made out.
  ///
  /// Accepts all obsolete forms (routes, comments, white space around dots) and common mistakes. These are missing brackets,
  /// quotes and commas within names, semicolons between addresses, and encoded words in quotes. A name without an address has
  /// an empty mailbox.
  package static func list(_ body: ArraySlice<UInt8>, _ decoder: CharsetDecoder) -> [Address] {
    var parser = AddressParser(body, decoder)
    return parser.parse()
  }

  /// The mailbox, or those of the group.
  package var mailboxes: [Mailbox] {
    switch self {
    case .mailbox(let mailbox): [mailbox]
    case .group(_, let members): members
    }
  }
}
