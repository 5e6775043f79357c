package import Maildir
package import MailModel
package import MailStore
package import SyncPlan
package import SyncState

/// What is needed to bring the mailboxes and the folders of an account into line; nothing in it changes.
package struct FolderContext: Sendable {
  /// What the user allows.
  package struct Rules: Sendable {
    /// What is allowed of a mailbox of that name and its folder.
    package var sides: @Sendable ([UInt8]) -> FolderPlan.Sides
    /// Whether any folder stays, detached, whose mailbox the server has no more.
    package var keepsFolders: Bool
    /// Whether the server may be changed.
    package var pushes: Bool
    /// Whether everything is only announced.
    package var isDryRun: Bool

    package init(
      sides: @escaping @Sendable ([UInt8]) -> FolderPlan.Sides,
      keepsFolders: Bool,
      pushes: Bool,
      isDryRun: Bool
    ) {
      self.sides = sides
      self.keepsFolders = keepsFolders
      self.pushes = pushes
      self.isDryRun = isDryRun
    }
  }

  let rules: Rules
  let store: StateStore
  let tree: FolderTree
  /// The roots of all configured accounts, this one's among them.
  let trees: [FolderTree]
  /// The mailboxes whose UIDVALIDITY turned out to be another than the one that was listed.
  let doubted: Set<MailboxName>
  /// Whether a mailbox takes part in the run, by its name with slashes between its levels.
  let isWanted: @Sendable ([UInt8]) -> Bool
  /// Whether it may be removed with mail in it, by the same name.
  let allowsMassDeletion: @Sendable ([UInt8]) -> Bool
  let report: @Sendable (FolderEvent) -> Void

  package init(
    _ rules: Rules,
    store: StateStore,
    tree: FolderTree,
    trees: [FolderTree],
    doubted: Set<MailboxName>,
    isWanted: @escaping @Sendable ([UInt8]) -> Bool,
    allowsMassDeletion: @escaping @Sendable ([UInt8]) -> Bool,
    report: @escaping @Sendable (FolderEvent) -> Void
  ) {
    self.rules = rules
    self.store = store
    self.tree = tree
    self.trees = trees
    self.doubted = doubted
    self.isWanted = isWanted
    self.allowsMassDeletion = allowsMassDeletion
    self.report = report
  }
}

/// What happens to the folders of an account, as it happens.
package enum FolderEvent: Sendable {
  /// A mailbox or its folder was changed; in a dry run, it would be.
  case changed(mailbox: String, FolderChange)
  /// Something is wrong with one of them.
  case problem(mailbox: String, SyncFailure)
}

/// What happened to a mailbox or its folder as a whole.
package enum FolderChange: Hashable, Sendable {
  /// Where it happened.
  package enum Side: String, Sendable {
    case server, local
  }

  case made(Side)
  case renamed(Side, from: String)
  case removed(Side)
  /// The server has the mailbox no more; the folder stays and is no longer synced.
  case detached
}
