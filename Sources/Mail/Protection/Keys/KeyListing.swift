internal import Octets

/// The keys that gpg or gpgsm lists with `--with-colons` (doc/DETAILS of GnuPG).
package enum KeyListing {
  /// The keys in their order; nil where the listing is cut off or cannot be what it says to be.
  package static func keys(in listing: [UInt8], _ method: ProtectionMethod) -> [ListedKey]? {
    guard listing.last ?? ASCII.lineFeed == ASCII.lineFeed else { return nil }
    // What precedes the first key: the state of the trust database, and of gpgsm the name of a file.
    let records = ColonRecord.records(in: listing).drop { !$0.beginsKey }
    var keys: [ListedKey] = []
    var start = records.startIndex
    while start < records.endIndex {
      let end = records[(start + 1)...].firstIndex(where: \.beginsKey) ?? records.endIndex
      guard let key = key(records[start..<end], method) else { return nil }
      keys.append(key)
      start = end
    }
    return keys
  }

  private static func key(
    _ records: ArraySlice<ColonRecord>,
    _ method: ProtectionMethod
  ) -> ListedKey? {
    let parts = KeyPart.parts(of: records)
    guard let primary = records.first, let first = parts.first, let fingerprint = first.fingerprint
    else { return nil }
    let usable = parts.filter(\.isUsable)
    return ListedKey(
      method: method,
      fingerprint: fingerprint,
      userIDs: records.filter { $0.is("uid") }.map { userID($0, method) },
      fault: fault(primary),
      created: ToolTime.seconds(primary[6]),
      expires: ToolTime.seconds(primary[7]),
      signers: usable.filter { $0.can(UInt8(ascii: "s")) }.compactMap(\.fingerprint),
      encrypters: usable.filter { $0.can(UInt8(ascii: "e")) }.compactMap(\.fingerprint),
      additions: usable.filter { $0.can(UInt8(ascii: "r")) }.compactMap(\.fingerprint)
    )
  }

  private static func fault(_ primary: ColonRecord) -> KeyFault? {
    if primary[12].contains(UInt8(ascii: "D")) { return .disabled }
    switch primary.validity {
    case UInt8(ascii: "r"): return .revoked
    case UInt8(ascii: "e"): return .expired
    case UInt8(ascii: "d"): return .disabled
    // Of a certificate it says that its issuer is not trusted, or not here.
    case UInt8(ascii: "i") where primary.is("crt") || primary.is("crs"): return .uncertified
    case UInt8(ascii: "i"), UInt8(ascii: "n"): return .invalid
    default: return nil
    }
  }

  private static func userID(
    _ record: ColonRecord,
    _ method: ProtectionMethod
  ) -> ListedKey.UserID {
    let text = record.userID
    // Of a certificate it says once more what the certificate is worth.
    let isPast = method == .openPGP && record.validity.map([UInt8](ascii: "ein").contains) ?? false
    return ListedKey.UserID(
      text: text,
      address: UserIDAddress.address(in: text),
      isRevoked: record.validity == UInt8(ascii: "r"),
      isValid: !isPast,
      isCertified: record.isCertified
    )
  }
}

/// A key, or one below it, with the records that tell of it.
private struct KeyPart {
  let fingerprint: KeyNumber?
  private let record: ColonRecord?

  /// The key that begins the records, and those below it.
  static func parts(of records: ArraySlice<ColonRecord>) -> [KeyPart] {
    let starts = records.indices.filter { records[$0].beginsKey || records[$0].beginsSubkey }
    return zip(starts, starts.dropFirst() + [records.endIndex])
      .map { KeyPart(records[$0..<$1]) }
  }

  private init(_ records: ArraySlice<ColonRecord>) {
    record = records.first
    fingerprint = records.first { $0.is("fpr") }.flatMap { KeyNumber($0[10]) }
      .flatMap { $0.isFingerprint ? $0 : nil }
  }

  /// Whether it stands, and of a secret key, whether the secret part is here or on a card.
  var isUsable: Bool {
    guard let record else { return false }
    let isPast = record.validity.map([UInt8](ascii: "redin").contains) ?? false
    return !isPast && !record[15].elementsEqual([UInt8](ascii: "#"))
  }

  /// Whether it is for that: small letters are of the key itself, large ones of all below it.
  func can(_ letter: UInt8) -> Bool {
    record?[12].contains(letter) == true
  }
}
