package import MIME
internal import Octets

/// Addresses as people read and type them: names in UTF-8, in quotation marks where they have to be.
package enum AddressText {
  /// The addresses in one line.
  package static func text(_ addresses: [Address]) -> [UInt8] {
    [UInt8](addresses.map(text).joined(separator: [ASCII.comma, ASCII.space]))
      .map { ASCII.isControl($0) ? ASCII.space : $0 }
  }

  /// The value of a field as people read it, which names people or not: nil where there is none.
  ///
  /// Of one that names people, the addresses of all fields of that name, each name in quotation marks where it could be taken
  /// for more than a name.
  package static func value(
    _ name: StaticString,
    of header: Header,
    _ decoder: CharsetDecoder
  ) -> [UInt8]? {
    guard let first = header.first(name) else { return nil }
    guard addressed.contains(where: { "\($0)" == "\(name)" }) else { return first.text(decoder) }
    let people = text(header.addresses(name, decoder))
    return people.isEmpty ? first.text(decoder) : people
  }

  private static let addressed: [StaticString] = ["From", "To", "Cc", "Bcc", "Reply-To"]

  /// The mailbox.
  package static func text(_ mailbox: Mailbox) -> [UInt8] {
    let address = mailbox.address
    if mailbox.name.isEmpty { return address }
    if address.isEmpty { return quoted(mailbox.name) }
    return quoted(mailbox.name) + [ASCII.space, ASCII.lessThan] + address + [ASCII.greaterThan]
  }

  private static func text(_ address: Address) -> [UInt8] {
    switch address {
    case .mailbox(let mailbox): return text(mailbox)
    case .group(let name, let members):
      let list = members.map(text).joined(separator: [ASCII.comma, ASCII.space])
      return quoted(name) + [ASCII.colon, ASCII.space] + list + [ASCII.semicolon]
    }
  }

  private static func quoted(_ name: [UInt8]) -> [UInt8] {
    let specials = [UInt8](ascii: "()<>[]:;@\\,.\"=?")
    guard name.contains(where: { specials.contains($0) }) else { return name }
    let escaped = name.flatMap {
      $0 == ASCII.quote || $0 == ASCII.backslash ? [ASCII.backslash, $0] : [$0]
    }
    return [ASCII.quote] + escaped + [ASCII.quote]
  }
}

extension Mailbox {
  /// Whether it is an address, or a name that can be an alias for one.
  package var canBeRecipient: Bool {
    if localPart.isEmpty { return !name.isEmpty && !name.contains { $0 <= ASCII.space } }
    return !domain.isEmpty || !localPart.contains(ASCII.at)
  }
}
