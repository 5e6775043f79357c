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
