internal import Folders
internal import MailModel
internal import Mailboxes
internal import SyncPlan
internal import SyncState

extension MirroredMailbox {
  /// Whether messages of the last run may be gone from the server, or some that a run fetched which was killed before it had
  /// recorded them.
  ///
  /// They cannot be where there are as many as there were, and one more for each UID that was given since.
  /// A mailbox that was never fetched to its end is not searched for any: it has enough to do.
  var mayHaveVanished: Bool {
    guard let entry, let before = entry.header.uidNext else { return false }
    guard let status, let messages = status.messages, let uidNext = status.uidNext,
      status.identity.validity == entry.header.validity, uidNext >= before
    else { return true }
    return Int(messages) < entry.messages + Int(uidNext - before)
  }

  /// About how many messages are to be fetched, as far as counts can tell.
  var expectedMessages: Int {
    max(0, Int(status?.messages ?? 0) - (entry?.messages ?? 0))
  }

  /// Whether a run may work on the mailbox, after its folders were brought into line.
  func isAdmitted(by folders: FolderSync.Outcome) -> Bool {
    guard !folders.withheld.contains(id), !folders.withheldNames.contains(name) else {
      return false
    }
    guard !folders.isPlanned else { return true }
    guard let entry else { return false }
    guard let status else { return true }
    return entry.header.identity.sharesID(with: status.identity) != false
      && !status.identity.validity.differs(from: entry.header.validity)
  }
}
