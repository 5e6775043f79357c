package import MIME
internal import Octets

/// The addresses at which a person gets mail.
package struct OwnAddresses: Hashable, Sendable {
  private let addresses: [[UInt8]]

  /// These addresses.
  package init(_ addresses: [[UInt8]]) {
    self.addresses = addresses.map { $0.map(ASCII.lowercased) }
  }

  /// Whether an address is one of them, in letters of either case, with a tag behind a plus sign or not.
  package func contains(_ address: [UInt8]) -> Bool {
    let small = address.map(ASCII.lowercased)
    return addresses.contains(small) || addresses.contains(Mailbox.withoutTag(small))
  }

  /// Whether it is the address of one of them.
  package func contains(_ mailbox: Mailbox) -> Bool { contains(mailbox.address) }

  /// The first of the mailboxes that is one of them, without a name: what another person calls the user is no name to write
  /// under.
  func first(of mailboxes: [Mailbox]) -> Mailbox? {
    mailboxes.first { contains($0) }
      .map { Mailbox(name: [], localPart: $0.localPart, domain: $0.domain) }
  }
}
