package import SyncPlan
package import SyncState

/// What is known of all mailboxes of an account at each moment of a run, over all its connections.
package protocol AccountRecords: Sendable {
  var entries: [Summary.Entry] { get }

  /// The messages of a mailbox, by its id, that may have come from one that was not looked at since, as the run before left
  /// them.
  ///
  /// Nil where that run knew no mailbox of that id and UIDVALIDITY.
  func recent(in mailbox: UInt64, validity: UInt32) -> RecentMessages?

  /// The deletion guard's view of the account and of one mailbox in it, from which `recentInMailbox` messages were removed of
  /// late.
  ///
  /// `isOverridden` says that the user allows all deletions this time.
  func deletionGuard(recentInMailbox: Int, isOverridden: Bool) -> DeletionGuard
}
