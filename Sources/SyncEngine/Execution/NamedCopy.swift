internal import MailModel
internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import SyncPlan
internal import SyncState

/// A message of another mailbox, and the copy that the server made of it and named, where a run ended before the mailbox
/// had the copy on record.
struct NamedCopy {
  private let transfer: Intent.Transfer
  private let uid: UInt32

  /// The copy in `mailbox` that a message of another one became; nil where that has none on record.
  ///
  /// - Parameters:
  ///   - transfer: what was under way.
  ///   - mailbox: where the copy was to go.
  ///   - state: what is recorded of the mailbox that it came from.
  init?(of transfer: Intent.Transfer, in mailbox: OpenMailbox, from state: MailboxState) {
    // What the server named before it was put back to an earlier state says nothing of what it has now.
    guard SyncRule.namedCopies.isOn, state.header.validity == transfer.validity,
      !mailbox.isRematched,
      let copy = state.pendingExpunges[transfer.uid]?.copy,
      copy.validity == mailbox.state.header.validity
    else { return nil }
    self.transfer = transfer
    uid = copy.uid
  }

  /// What is recorded of it, also where the server has it no more.
  func record(in mailbox: OpenMailbox) throws(SyncFailure) -> BaseRecord {
    let name = transfer.name
    let message = mailbox.remote.view.listed[uid: uid]
    let date = try mailbox.date(of: name)
    return BaseRecord(
      uid: uid,
      name: name,
      flags: message.map { mailbox.unrelatedFlags(name, $0) }
        ?? mailbox.arriving(MessageFlags(mailbox.flags(of: name) ?? [])),
      size: transfer.size,
      date: message?.date ?? date,
      identity: transfer.identity,
      completeness: transfer.completeness
    )
  }
}

extension OpenMailbox {
  /// What is recorded of a message of another mailbox that was copied here and is to go there; `copy` is the UID that the
  /// server named, nil where it named none.
  func expungeOfCopied(_ uid: UInt32, as copy: UInt32?) -> StateRecord {
    let copy = copy.map { PendingExpunge.Copy(validity: state.header.validity, uid: $0) }
    return .pendingExpunge(uid: uid, PendingExpunge(isFlagged: false, copy: copy))
  }

  /// The date of the message that a file holds, in seconds since 1970; nil where the file is gone.
  func date(of name: [UInt8]) throws(SyncFailure) -> Int64? { try content(of: name)?.date }

  /// What counts as agreed on for a file and a message of which it is not known: flags of before a crash say nothing about
  /// who changed what since.
  func unrelatedFlags(_ name: [UInt8], _ message: RemoteMessage) -> MessageFlags {
    flags(of: name).map { Rematch.base($0, message.flags) } ?? message.flags
  }
}
