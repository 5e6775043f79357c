internal import Folders
internal import Maildir
internal import Platform
internal import SyncPlan
internal import SyncState

extension MailboxContext {
  /// Whether the folder of the mailbox was renamed since the run began, and another one made in its place.
  ///
  /// Then nothing counts as removed. The new folder must not get the ownership marker, by which the next run sees where the
  /// mailbox is.
  package func isElsewhere(_ mailbox: OpenMailbox) -> Bool {
    let isKnown = mailbox.mailbox.entry != nil || !mailbox.state.messages.isEmpty
    guard SyncRule.absence.isOn, isKnown, mailbox.owner != mailbox.mailbox.id else {
      return false
    }
    let folders = try? FolderScan(tree, among: trees, known: []).folders(lookingInside: false)
    return folders?.contains { $0.owner == mailbox.mailbox.id } ?? true
  }
}

extension OpenMailbox {
  /// The mailbox whose mark the directory bears; nil where it bears none.
  var owner: UInt64? { (try? OwnershipMarker(directory).owner()) ?? nil }

  /// Whether the directory bears the mark of any mailbox.
  var isMarked: Bool { owner != nil }
}
