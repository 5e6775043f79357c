/// What is to be thought of a signature.
package enum Verdict: String, Sendable, Hashable, CaseIterable {
  /// Right, and of a key that the user has certified, or a person whom the user trusts for that.
  case good
  /// Right, but of a key that nothing certifies, with a digest that can be forged, or made in the future.
  case unverified
  /// Right, but of a key that the user has marked as not to be trusted.
  case distrusted
  /// The signature has expired.
  case expired
  /// Its key has.
  case keyExpired = "key-expired"
  case keyRevoked = "key-revoked"
  /// What it signs was changed, or it cannot be what it says to be.
  case bad
  /// The key to check it is not here.
  case noKey = "no-key"
  /// Its algorithm is not known here.
  case unsupported
  /// It could not be checked, or what the program said about it does not fit together.
  case error
  /// It was not checked.
  case unchecked

  /// The better a verdict, the less; `bad` is not compared, since it decides alone.
  var rank: Int { Self.order.firstIndex(of: self) ?? Self.order.count }

  private static let order: [Verdict] = [
    .good, .unverified, .expired, .keyExpired, .keyRevoked, .distrusted, .noKey, .unsupported,
    .error, .unchecked, .bad,
  ]

  /// Whether what is signed is as its signer left it, and the signer's key as good as any that was never looked at.
  package var isIntact: Bool { self == .good || self == .unverified }
}

/// Why a signature that is right is no better than `unverified`.
package enum Weakness: String, Sendable, Hashable {
  /// Nothing certifies the key.
  case uncertified
  /// The digest is MD5, SHA-1 or RIPEMD-160.
  case digest
  /// Its date is more than a day in the future.
  case future
}

/// Whether the author that From names has signed.
package enum SenderMatch: String, Sendable, Hashable {
  /// The key has the address, and that is certified.
  case matches
  /// The key has the address, which its owner may have written there.
  case claims
  /// The key does not have the address, or From is not one address.
  case differs
}

/// How much of a message is signed.
package enum Coverage: String, Sendable, Hashable {
  case all
  case part
}
