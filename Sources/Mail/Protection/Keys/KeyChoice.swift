internal import Octets

/// Which of the listed keys is used for an address.
package enum KeyChoice: Sendable, Hashable {
  /// This one. A key that is not certified was the only one: a person decides whether it is used.
  case chosen(ListedKey, isCertified: Bool)
  /// None, since each of these would serve: several keys of which none is certified, or several of one's own.
  case several([ListedKey])
  /// None serves; those that are there, with the reason. Empty where there is no key at all.
  case none([RefusedKey])

  /// The key; nil where none was chosen.
  package var key: ListedKey? { if case .chosen(let key, _) = self { key } else { nil } }

  /// The key to encrypt to for the owner of an address.
  ///
  /// A certified one is taken, the newest of several; else the only one; of S/MIME certified ones only.
  package static func recipient(_ address: [UInt8], of keys: [ListedKey]) -> KeyChoice {
    var (certified, others, refused): ([ListedKey], [ListedKey], [RefusedKey]) = ([], [], [])
    for key in keys {
      if let fault = key.fault(for: .encryption, of: address) {
        refused.append(RefusedKey(key, fault))
      } else if key.isCertified(for: address) {
        certified.append(key)
      } else if key.method == .sMIME {
        refused.append(RefusedKey(key, .uncertified))
      } else {
        others.append(key)
      }
    }
    if let key = certified.max(by: isOlder) { return .chosen(key, isCertified: true) }
    return only(of: others, refused, isCertified: false)
  }

  /// One's own key: the only secret key of the address.
  ///
  /// - Parameters:
  ///   - address: one's own.
  ///   - keys: secret keys.
  ///   - use: what for.
  /// - Returns: the choice; a chosen key counts as certified.
  package static func own(
    _ address: [UInt8],
    of keys: [ListedKey],
    for use: KeyUse
  ) -> KeyChoice {
    var (found, refused): ([ListedKey], [RefusedKey]) = ([], [])
    for key in keys {
      if let fault = key.fault(for: use, of: address) {
        refused.append(RefusedKey(key, fault))
      } else {
        found.append(key)
      }
    }
    return only(of: found, refused, isCertified: true)
  }

  /// One's own key that the configuration names, whatever addresses it has.
  package static func own(
    named fingerprint: KeyNumber,
    of keys: [ListedKey],
    for use: KeyUse
  ) -> KeyChoice {
    let found = keys.filter { key in
      key.fingerprint == fingerprint || (key.signers + key.encrypters).contains(fingerprint)
    }
    let refused = found.compactMap { key in key.fault(for: use).map { RefusedKey(key, $0) } }
    return only(of: found.filter { $0.serves(use) }, refused, isCertified: true)
  }

  private static func only(
    of keys: [ListedKey],
    _ refused: [RefusedKey],
    isCertified: Bool
  ) -> KeyChoice {
    guard let key = keys.first else { return .none(refused) }
    return keys.count == 1 ? .chosen(key, isCertified: isCertified) : .several(keys)
  }

  /// The fingerprint decides between keys of one moment, so that the choice is always the same.
  private static func isOlder(_ first: ListedKey, _ second: ListedKey) -> Bool {
    let (one, two) = (first.created ?? 0, second.created ?? 0)
    guard one == two else { return one < two }
    return first.fingerprint.digits.lexicographicallyPrecedes(second.fingerprint.digits)
  }
}
