internal import MailModel
internal import SyncPlan
internal import SyncState

/// A mailbox that is to be mirrored, with what the server and the last run said of it.
struct MirroredMailbox: Sendable {
  let name: MailboxName
  let path: MailboxPath
  let role: MailboxRole?
  /// The Maildir, relative to the account's root.
  let directory: [UInt8]
  /// The mailbox's own id.
  let id: UInt64
  /// The answer to STATUS; nil where the server gave none.
  var status: ServerMailbox.Status?
  /// What the last run left; nil for the first time.
  private(set) var entry: Summary.Entry?

  /// A mailbox that was chosen; `status` is nil where the server told none, `entry` for the first time.
  init(_ choice: MailboxSelection.Choice, _ status: ServerMailbox.Status?, _ entry: Summary.Entry?)
  {
    name = choice.mailbox.name
    path = choice.mailbox.path
    role = choice.role
    directory = choice.place.directory
    id = choice.place.id
    self.status = status
    self.entry = entry
  }

  /// The mailbox as it is to be looked at once more in the same run, with what is now known of it.
  func again(_ entry: Summary.Entry?) -> MirroredMailbox {
    var mailbox = self
    mailbox.status = nil
    if let entry { mailbox.entry = entry }
    return mailbox
  }

  /// Whether unseen messages in it are new to the user.
  var isForArrivals: Bool { role?.isForArrivals ?? true }

  /// Whether the server's word is that nothing happened since the last run.
  ///
  /// Only a HIGHESTMODSEQ that the last EXAMINE gave counts: by itself STATUS can stand still while mail changes.
  /// The number of messages has to be the map's, since a server may not have shown all of them when they were read, and
  /// without QRESYNC a removal need not raise it (RFC 7162 §3.1.2.1). It says nothing where a window leaves some out.
  func isUnchangedOnServer(window: [UInt8], tellsVanished: Bool) -> Bool {
    guard let status, let entry, entry.isComplete, entry.header.window == window,
      entry.header.modSequence > 0
    else { return false }
    let header = entry.header
    let isWhole = status.messages.map { Int($0) } == entry.messages
    return status.identity.validity == header.validity && status.uidNext == header.uidNext
      && status.modSequence == header.modSequence
      && (isWhole
        || tellsVanished && (status.messages == nil || window != AccountContext.wholeWindow))
  }

  /// Whether messages of the last run may be gone from the server.
  ///
  /// They cannot be where there are as many as there were, and one more for each UID that was given since.
  /// A mailbox that was never fetched to its end is not searched for any: it has enough to do.
  var mayHaveVanished: Bool {
    guard let entry, entry.messages > 0, entry.header.uidNext > 0 else { return false }
    guard let status, let messages = status.messages, let uidNext = status.uidNext,
      status.identity.validity == entry.header.validity, uidNext >= entry.header.uidNext
    else { return true }
    return Int(messages) < entry.messages + Int(uidNext - entry.header.uidNext)
  }

  /// About how many messages are to be fetched, as far as counts can tell.
  var expectedMessages: Int {
    max(0, Int(status?.messages ?? 0) - (entry?.messages ?? 0))
  }
}
