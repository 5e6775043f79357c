extension ConfigurationKey {
  /// What a value says about where a secret comes from.
  private typealias Meaning = @Sendable (KeyValue) throws(Mistake) -> SecretSource

  private static let meanings: [(name: String, kind: KeyKind, meaning: Meaning)] = [
    (
      "password-command", .command,
      { value throws(Mistake) in .passwordCommand(try value.command()) }
    ),
    (
      "token-command", .command,
      { value throws(Mistake) in .tokenCommand(try value.command()) }
    ),
    (
      "password-file", .string,
      { value throws(Mistake) in .passwordFile(try value.path(), namedAt: value.place) }
    ),
    (
      "password-credential", .string,
      { value throws(Mistake) in .credential(try value.credential()) }
    ),
    (
      "password", .string,
      { value throws(Mistake) in try value.inlineSecret() }
    ),
  ]

  /// The keys of an account that say where the secret for one of its servers comes from.
  ///
  /// - Parameters:
  ///   - prefix: what their names begin with.
  ///   - group: of which only one may be given.
  ///   - needsServer: whether they mean something only in an account with an IMAP server.
  ///   - put: takes what a key says into the account.
  /// - Returns: the keys, in the order of the manual page.
  static func secrets(
    _ prefix: String,
    _ group: KeyGroup,
    needsServer: Bool = false,
    put: @escaping @Sendable (SecretSource, inout AccountDraft) -> Void
  ) -> [ConfigurationKey] {
    meanings.map { name, kind, meaning in
      ConfigurationKey(
        prefix + name,
        in: .account,
        kind,
        group: group,
        needsServer: needsServer
      ) { value, draft throws(Mistake) in
        put(try meaning(value), &draft)
      }
    }
  }
}
