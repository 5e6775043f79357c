internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import SyncPlan
internal import SyncState

// Whether a UID still means the message that was to be moved.
//
// A server that was restored to an earlier state assigns UIDs again under the same UIDVALIDITY, and only the mailbox itself is
// rematched then.
extension OpenMailbox {
  /// Whether the message of a move out of this mailbox is the one that has its UID here, as far as anything is known of that.
  func holdsOriginal(of transfer: Intent.Transfer) -> Bool {
    guard state.header.validity == transfer.validity else { return false }
    let record = original(of: transfer)
    let found = Trace(record?.identity, size: remote.view.listed[uid: transfer.uid]?.size)
    let same = Sameness.compare(Trace(transfer.identity, size: transfer.size), found, .inPlace)
    return same.level != .no || same.agreeing.contains(.named)
  }

  /// What is on record of the message of a move: of one that is to be expunged, what was before.
  func original(of transfer: Intent.Transfer) -> BaseRecord? {
    state.messages[transfer.uid] ?? state.pendingExpunges[transfer.uid]?.former
  }

  /// Whether the record of a message that went to another mailbox is left here, and no other message has its UID.
  func holdsLeftover(of origin: Intent.Origin) -> Bool {
    guard state.holds(origin) else { return false }
    // A record that was found again, and whose file is here, is that of a message which is here.
    guard isRematched, plan == nil, let record = state.messages[origin.uid] else { return true }
    return local.files[record.name] == nil
  }
}
