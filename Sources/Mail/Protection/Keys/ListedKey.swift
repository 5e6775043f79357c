internal import Octets

/// A key of OpenPGP or a certificate of S/MIME with all that its listing tells of it.
package struct ListedKey: Sendable, Hashable {
  /// A user id; of a certificate its subject, or an address in subjectAltName.
  package struct UserID: Sendable, Hashable {
    /// As its owner wrote it: a stranger's text.
    package let text: [UInt8]
    /// The address in it; nil where it has none that can be compared.
    package let address: [UInt8]?
    package let isRevoked: Bool
    /// Whether the program calls it neither expired nor not valid.
    package let isValid: Bool
    /// Whether the user has certified it, or a key that the user trusts for that.
    package let isCertified: Bool

    package init(
      text: [UInt8],
      address: [UInt8]?,
      isRevoked: Bool,
      isValid: Bool,
      isCertified: Bool
    ) {
      (self.text, self.address) = (text, address)
      (self.isRevoked, self.isValid, self.isCertified) = (isRevoked, isValid, isCertified)
    }

    func has(_ address: [UInt8]) -> Bool {
      self.address.map { PlainAddress.isEqual($0, address) } ?? false
    }
  }

  package let method: ProtectionMethod
  package let fingerprint: KeyNumber
  package let userIDs: [UserID]
  /// Why it cannot be used at all; nil where nothing is wrong with it.
  package let fault: KeyFault?
  /// When it was made, in seconds since 1970; nil where that is not told.
  package let created: Int64?
  /// Until when it can be used, the same; nil for ever.
  package let expires: Int64?
  /// The keys in it that can sign now, and those that can be encrypted to, by fingerprint: it, and those below it.
  ///
  /// In a listing of secret keys these are only the ones whose secret part is here, or on a card.
  package let signers: [KeyNumber]
  package let encrypters: [KeyNumber]
  /// Keys below it to which GnuPG from 2.4 on encrypts besides, as its owner wants it (ADSK).
  let additions: [KeyNumber]

  package init(
    method: ProtectionMethod,
    fingerprint: KeyNumber,
    userIDs: [UserID],
    fault: KeyFault?,
    created: Int64?,
    expires: Int64?,
    signers: [KeyNumber],
    encrypters: [KeyNumber],
    additions: [KeyNumber] = []
  ) {
    (self.method, self.fingerprint, self.userIDs) = (method, fingerprint, userIDs)
    (self.fault, self.created, self.expires) = (fault, created, expires)
    (self.signers, self.encrypters, self.additions) = (signers, encrypters, additions)
  }

  /// Whether it can be used for that now.
  package func serves(_ use: KeyUse) -> Bool { fault(for: use) == nil }

  /// Why it cannot be used for that; nil where it can.
  package func fault(for use: KeyUse) -> KeyFault? {
    if let fault { return fault }
    switch use {
    case .signing: return signers.isEmpty ? .cannotSign : nil
    case .encryption: return encrypters.isEmpty ? .cannotEncrypt : nil
    }
  }

  /// Why it cannot be used for that by the owner of an address; nil where it can.
  package func fault(for use: KeyUse, of address: [UInt8]) -> KeyFault? {
    guard userIDs(of: address).isEmpty else { return fault(for: use) }
    // With a key that has expired, its user ids have, too.
    let isItsOwn = userIDs.contains { !$0.isRevoked && $0.has(address) }
    return isItsOwn ? fault ?? .otherAddress : .otherAddress
  }

  /// The user ids that stand and have exactly that address; the domain in large or small letters.
  package func userIDs(of address: [UInt8]) -> [UserID] {
    userIDs.filter { !$0.isRevoked && $0.isValid && $0.has(address) }
  }

  /// Whether one of those user ids is certified.
  package func isCertified(for address: [UInt8]) -> Bool {
    userIDs(of: address).contains(where: \.isCertified)
  }
}

/// What a key is wanted for.
package enum KeyUse: Sendable, Hashable {
  case signing
  case encryption
}

/// Why a key is not used.
package enum KeyFault: String, Sendable, Hashable, CaseIterable {
  case expired
  case revoked
  case disabled
  /// The program calls it not valid: it has no valid user id or issuer, or is broken.
  case invalid
  case cannotSign = "cannot-sign"
  case cannotEncrypt = "cannot-encrypt"
  /// No user id that stands has the address.
  case otherAddress = "other-address"
  /// Nothing certifies it, and that is needed: anybody can have made it.
  case uncertified
}

extension KeyFault {
  /// What is said behind the name of the key, or "it".
  package var text: String {
    switch self {
    case .expired: "has expired"
    case .revoked: "is revoked"
    case .disabled: "is disabled"
    case .invalid: "is not valid"
    case .cannotSign: "cannot sign here"
    case .cannotEncrypt: "has nothing to encrypt to"
    case .otherAddress: "has no valid user id with this address"
    case .uncertified: "is not certified"
    }
  }
}

/// A key that is not used, and why.
package struct RefusedKey: Sendable, Hashable {
  package let key: ListedKey
  package let fault: KeyFault

  package init(_ key: ListedKey, _ fault: KeyFault) {
    (self.key, self.fault) = (key, fault)
  }
}
