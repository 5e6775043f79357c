package import MailModel

/// What holds for the mailboxes that fit a pattern: the keys of `[account.NAME.mailbox."PATTERN"]`.
///
/// What is nil is as the section `sync` has it.
package struct MailboxSettings: Hashable, Sendable {
  package let pattern: MailboxPattern
  /// Which way changes travel.
  package var direction: SyncDirection?
  /// What becomes of the server's message when its file is removed.
  package var localDeletion: LocalDeletion?
  /// What becomes of a file when the server has its message no more.
  package var remoteDeletion: RemoteDeletion?
  /// On which sides they are made.
  package var create: FolderSide?
  /// On which sides they are removed.
  package var remove: FolderSide?
  /// Whether the mark \\Deleted is more than a mark there.
  package var expunge: ExpungePolicy?

  /// Settings that say nothing yet.
  package init(_ pattern: MailboxPattern) { self.pattern = pattern }
}
