internal import Octets

extension ConfigurationKey {
  /// The keys of `[account.NAME.crypto]`.
  static let accountCrypto: [ConfigurationKey] = [
    protectionKey("method", .string) { value, settings throws(Mistake) in
      settings.method = try value.choice(ProtectionSettings.Method.self)
    },
    protectionKey("key", .string) { value, settings throws(Mistake) in
      settings.key = try value.keyFingerprint()
    },
    protectionKey("sign", .boolean) { value, settings throws(Mistake) in
      settings.signs = try value.boolean()
    },
    protectionKey("encrypt", .string) { value, settings throws(Mistake) in
      settings.encryption = try value.choice(ProtectionSettings.Encryption.self)
    },
    protectionKey("uncertified", .string) { value, settings throws(Mistake) in
      settings.uncertified = try value.choice(ProtectionSettings.Uncertified.self)
    },
  ]

  private static func protectionKey(
    _ name: String,
    _ kind: KeyKind,
    read: @escaping @Sendable (KeyValue, inout ProtectionSettings) throws(Mistake) -> Void
  ) -> ConfigurationKey {
    ConfigurationKey(name, in: .accountCrypto, kind) { value, draft throws(Mistake) in
      try read(value, &draft.sending.composing.protection)
    }
  }
}

extension ProtectionSettings {
  /// Refuses a key that its method does not know by that number: gpgsm lists certificates by SHA-1 fingerprints.
  func checkKey() throws(IncompleteAccount) {
    guard method == .sMIME, let key, key.count != 40 else { return }
    throw IncompleteAccount(
      keys: [KeySection.crypto.rawValue, "key"],
      mistake: .badValue(
        "must be the 40 hexadecimal digits of a SHA-1 fingerprint with method = \"smime\"",
        remedy: "magnum keys prints those of your certificates"
      )
    )
  }
}

extension KeyValue {
  /// The value of `key`: the 40 or 64 hexadecimal digits of a fingerprint, with blanks or colons between them or without.
  ///
  /// Shorter numbers of keys can be made to order by anybody.
  func keyFingerprint() throws(Mistake) -> [UInt8] {
    let digits = try text().utf8.filter { $0 != ASCII.colon && $0 != ASCII.space }
    guard digits.count == 40 || digits.count == 64, let octets = Hex.decode(digits) else {
      throw .badValue(
        "must be the 40 or 64 hexadecimal digits of a fingerprint",
        remedy: "magnum keys prints those of your keys"
      )
    }
    return Hex.encode(octets).map(ASCII.uppercased)
  }
}
