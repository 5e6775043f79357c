/// The kinds of sections, each with keys of its own.
enum KeySection: String, Hashable, Sendable, CaseIterable {
  /// The top of the file, above all sections.
  case root = ""

  /// `[account.NAME]`, and `[defaults]` for all of them.
  case account

  /// `[account.NAME.roles]`.
  case roles

  /// `[account.NAME.sync]`.
  case sync

  /// `[account.NAME.mailbox."PATTERN"]`.
  case mailbox

  /// `[account.NAME.oauth]`.
  case oauth

  /// `[account.NAME.oauth.store]`.
  case store

  /// The sections that stand in this one, by name.
  var sections: [String] {
    switch self {
    case .root:
      [
        "account", "defaults", SearchSettings.section, IndexFilterSettings.section,
        ArchiveSettings.section,
      ]
    case .account:
      [KeySection.roles, .sync, .mailbox, .oauth].map(\.rawValue)
    case .oauth: [KeySection.store.rawValue]
    case .roles, .sync, .mailbox, .store: []
    }
  }
}

/// Keys that answer the same question: one section may hold only one of a group.
///
/// A key of an account takes the place of all keys of its group in the defaults.
enum KeyGroup: Hashable, Sendable {
  case server
  case secret
  case trust
  case greeting
  case submissionUser
  case submissionSecret
  case submissionTrust
  case signature
  case authorizationServer
}
