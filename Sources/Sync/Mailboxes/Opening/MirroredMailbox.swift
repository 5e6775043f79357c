package import MailModel
package import SyncPlan
package import SyncState

/// A mailbox that is to be mirrored, with what the server and the last run said of it.
package struct MirroredMailbox: Sendable {
  /// Its name on the server.
  package let name: MailboxName
  /// The same, decoded and taken apart at its levels.
  package let path: MailboxPath
  /// What it is for; nil for an ordinary one.
  package let role: MailboxRole?
  /// The Maildir, relative to the account's root.
  package let directory: [UInt8]
  /// The mailbox's own id.
  package let id: UInt64
  /// The answer to STATUS; nil where the server gave none.
  package var status: ServerMailbox.Status?
  /// What the last run left; nil for the first time.
  package private(set) var entry: Summary.Entry?

  /// A mailbox that was chosen; `status` is nil where the server told none, `entry` for the first time.
  package init(
    _ choice: MailboxSelection.Choice,
    _ status: ServerMailbox.Status?,
    _ entry: Summary.Entry?
  ) {
    name = choice.mailbox.name
    path = choice.mailbox.path
    role = choice.role
    directory = choice.place.directory
    id = choice.place.id
    self.status = status
    self.entry = entry
  }

  /// The mailbox as it is to be looked at once more in the same run, with what is now known of it.
  package func again(_ entry: Summary.Entry?) -> MirroredMailbox {
    var mailbox = self
    mailbox.status = nil
    if let entry { mailbox.entry = entry }
    return mailbox
  }

  /// Whether unseen messages in it are new to the user.
  package var isForArrivals: Bool { role?.isForArrivals ?? true }

  /// Whether the server's word is that nothing happened since the last run.
  ///
  /// Only a HIGHESTMODSEQ that the last EXAMINE gave counts: by itself STATUS can stand still while mail changes. The number of
  /// messages has to be the map's, since a server may not have shown all of them when they were read. Also, without QRESYNC a
  /// removal need not raise it (RFC 7162 §3.1.2.1). It says nothing where a window leaves some out.
  func isUnchangedOnServer(window: [UInt8], tellsVanished: Bool) -> Bool {
    guard let status, let entry, entry.isComplete, entry.header.window == window,
      entry.header.modSequence != nil
    else { return false }
    let header = entry.header
    let isWhole = status.messages.map { Int($0) } == entry.messages
    return status.identity.validity == header.validity && status.uidNext == header.uidNext
      && status.modSequence == header.modSequence
      && (isWhole
        || tellsVanished && (status.messages == nil || !MailboxContext.isWhole(window)))
  }
}
