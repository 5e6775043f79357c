package import MIME
internal import Octets

/// The user ids of a key, as gpg and gpgsm list them with `--with-colons` (doc/DETAILS of GnuPG).
package struct KeyOwner: Sendable, Hashable {
  /// An address in a user id that stands.
  private struct Identity: Hashable {
    let address: [UInt8]
    let isCertified: Bool
  }

  private let identities: [Identity]
  /// The first user id, as it is listed; empty for none.
  let name: [UInt8]

  /// The user ids of the key with that fingerprint; none where the listing is of another one, or of several.
  package init(listing: [UInt8], of key: KeyNumber) {
    let records = ColonRecord.records(in: listing)
    let fingerprint = records.first { $0.is("fpr") }.flatMap { KeyNumber($0[10]) }
    guard records.count(where: \.beginsKey) == 1, fingerprint == key else {
      (identities, name) = ([], [])
      return
    }
    let userIDs = records.filter { $0.is("uid") }
    name = userIDs.first?.userID ?? []
    identities = userIDs.compactMap(Self.identity)
  }

  private static func identity(_ record: ColonRecord) -> Identity? {
    guard record.validity != UInt8(ascii: "r"),
      let address = UserIDAddress.address(in: record.userID)
    else { return nil }
    return Identity(address: address, isCertified: record.isCertified)
  }

  /// Whether the author that From names has signed with the key, and the address that is to be named.
  package func match(_ author: [UInt8]?) -> (match: SenderMatch, address: [UInt8]?) {
    let first = identities.first { $0.isCertified } ?? identities.first
    guard let author else { return (.differs, first?.address) }
    let same = identities.filter { PlainAddress.isEqual($0.address, author) }
    guard !same.isEmpty else { return (.differs, first?.address) }
    return (same.contains(where: \.isCertified) ? .matches : .claims, author)
  }
}

/// The address of a user id.
enum UserIDAddress {
  /// What stands in the only angle brackets of a user id, or all of one without any: of two, certifiers may have meant either.
  static func address(in text: [UInt8]) -> [UInt8]? {
    var address = text[...]
    if let open = text.firstIndex(of: ASCII.lessThan),
      let close = text[open...].firstIndex(of: ASCII.greaterThan)
    {
      let others = text[..<open] + text[(close + 1)...]
      guard !others.contains(ASCII.lessThan), !others.contains(ASCII.greaterThan) else {
        return nil
      }
      address = text[(open + 1)..<close]
    }
    return PlainAddress.isPlain(address) ? [UInt8](address) : nil
  }
}

/// Addresses that can be compared, and shown beside a verdict.
package enum PlainAddress {
  /// Whether it has a local part and a domain, and neither blanks nor controls nor anything that needs quotes.
  static func isPlain(_ address: some Collection<UInt8>) -> Bool {
    let specials = [UInt8](ascii: "\"(),:;<>[\\]")
    let parts = address.split(separator: ASCII.at, omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && address.count <= 254
      && address.allSatisfy { $0 > ASCII.space && $0 < ASCII.delete && !specials.contains($0) }
  }

  /// Whether both are one address: the domain in large or small letters.
  static func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard let at = first.lastIndex(of: ASCII.at), second.count == first.count else { return false }
    return first[...at] == second[...at] && first[at...].equalsCaseless(second[at...])
  }

  /// The address of the author, if From is one field with one address that can be compared; else nil.
  package static func author(_ header: Header, _ decoder: CharsetDecoder) -> [UInt8]? {
    let addresses = header.addresses("From", decoder)
    guard header.all("From").count == 1, addresses.count == 1,
      case .mailbox(let mailbox)? = addresses.first, isPlain(mailbox.address)
    else { return nil }
    return mailbox.address
  }
}
