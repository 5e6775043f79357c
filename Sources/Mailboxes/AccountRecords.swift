package import Maildir
package import SyncPlan
package import SyncState

/// What is known of all mailboxes of an account at each moment of a run, over all its connections.
package protocol AccountRecords: Sendable {
  /// The entries of the summary.
  var entries: [Summary.Entry] { get }

  /// The UID from which messages of a mailbox were fetched by the last run before this one that looked at all mailboxes, or by
  /// one since (`Summary.Entry.recentFrom`).
  ///
  /// Under another UIDVALIDITY than the one that is on record by now, all are.
  func firstRecent(in mailbox: MailboxHeader) -> UInt32

  /// Whether a file of that key was fetched since then, in the mailbox of the key; false where that is not known.
  func isRecent(_ key: MessageKey) -> Bool

  /// The deletion guard's view of the account and of one mailbox in it, from which `recentInMailbox` messages were removed of
  /// late; `isOverridden` says that the user lets all deletions through this once.
  func deletionGuard(recentInMailbox: Int, isOverridden: Bool) -> DeletionGuard
}
