package import MIME
internal import Octets

/// The user ids of a key, as gpg and gpgsm list them with `--with-colons` (doc/DETAILS of GnuPG).
package struct KeyOwner: Sendable, Hashable {
  /// A user id that stands.
  private struct Identity: Hashable {
    let text: [UInt8]
    /// Its address; nil for none that can be compared.
    let address: [UInt8]?
    let isCertified: Bool
  }

  /// What the key has to do with an author.
  package struct Match: Sendable, Hashable {
    package let sender: SenderMatch
    /// The address to name: the author's if the key has it, else the first one; nil for none.
    package let address: [UInt8]?
    /// A user id that is certified: the author's if it is, else the first one; nil for none.
    ///
    /// A certificate goes by its first one.
    package let userID: [UInt8]?
    /// An address that is certified: the author's if it is, else the first one; nil for none.
    package let certifiedAddress: [UInt8]?
  }

  private let identities: [Identity]
  /// Whether it is a certificate of S/MIME: its names are certified together, and the first one is that of its owner.
  private let isCertificate: Bool

  /// The user ids of the key with that fingerprint; none where the listing is of another one, or of several.
  package init(listing: [UInt8], of key: KeyNumber) {
    let records = ColonRecord.records(in: listing)
    let fingerprint = records.first { $0.is("fpr") }.flatMap { KeyNumber($0[10]) }
    isCertificate = records.contains { $0.is("crt") }
    guard records.count(where: \.beginsKey) == 1, fingerprint == key else {
      identities = []
      return
    }
    identities = records.filter { $0.is("uid") && $0.validity != UInt8(ascii: "r") }.map { record in
      Identity(
        text: record.userID,
        address: UserIDAddress.address(in: record.userID),
        isCertified: record.isCertified
      )
    }
  }

  /// What the key has to do with the author that From names; nil where that is not one address.
  package func match(_ author: [UInt8]?) -> Match {
    let ofAuthor = identities.filter { identity in
      guard let author, let address = identity.address else { return false }
      return PlainAddress.isEqual(address, author)
    }
    let certified = identities.filter(\.isCertified)
    let own = ofAuthor.first { $0.isCertified }
    let addressed = certified.first { $0.address != nil }
    let first = addressed ?? identities.first { $0.address != nil }
    return Match(
      sender: own != nil ? .matches : ofAuthor.isEmpty ? .differs : .claims,
      address: ofAuthor.isEmpty ? first?.address : author,
      userID: (isCertificate ? certified.first : own ?? certified.first)?.text,
      certifiedAddress: (own ?? addressed)?.address
    )
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
