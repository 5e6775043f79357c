internal import Platform

/// Which senders of mail become the account's own address.
package enum FromRule: String, Hashable, Sendable, CaseIterable {
  /// None.
  case never
  /// Those at names that only this machine knows, such as `root@host`.
  case local
  /// All but the account's own addresses.
  case always
}

/// Which recipients in the fields of mail become the addresses that they mean.
package enum ToRule: String, Hashable, Sendable, CaseIterable {
  /// None.
  case never
  /// Names without a domain, such as `root`.
  case local
}

/// What holds where all users of a machine share an account: that of `/etc/magnum/config.toml`.
package struct SharedAccountRules: Hashable, Sendable {
  /// The users who may send with it, by name or number; `nil` for all.
  package var users: [String]?

  /// The address to which mail that could not be sent is reported; `nil` for none.
  package var reportsTo: String?

  /// Which senders become the account's own address.
  package var from = FromRule.local

  /// Which recipients become the addresses that they mean.
  package var to = ToRule.local

  /// Whether the user of that number may send with it; root always may.
  package func allow(_ user: UInt32) -> Bool {
    guard user != 0, let users else { return true }
    return users.contains { $0 == "\(user)" || UserIdentity.number(of: $0) == user }
  }
}
