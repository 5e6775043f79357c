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

  /// The sections that stand in this one, by name.
  var sections: [String] {
    switch self {
    case .root: ["account", "defaults"]
    case .account: [KeySection.roles.rawValue, KeySection.sync.rawValue]
    case .roles, .sync: []
    }
  }
}
