package import MailStore

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
