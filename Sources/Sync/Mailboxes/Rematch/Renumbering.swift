internal import SyncPlan
internal import SyncState

/// Which UIDs the messages of a mailbox have since its UIDVALIDITY changed in this run.
struct Renumbering {
  private let validity: UInt32
  private var uids: [UInt32: UInt32] = [:]

  /// Of those on record before and after that; nil where UIDs mean what they meant.
  init?(_ before: MailboxState?, _ after: MailboxState) {
    guard let before, before.header.validity != after.header.validity else { return nil }
    validity = before.header.validity
    for message in after.messages.values {
      if let uid = before.uid(of: message.name) { uids[uid] = message.uid }
    }
    for (uid, expunge) in after.pendingExpunges {
      let old = before.pendingExpunges.first { _, old in
        guard let was = old.former, let now = expunge.former, was.name == now.name
        else { return false }
        return Sameness.compare(Trace(fileOf: was), Trace(fileOf: now), .inPlace).level != .no
      }
      if let old { uids[old.key] = uid }
    }
  }

  /// The message by its UID now; as it was where it had another UIDVALIDITY then, or was not found again.
  func current(_ origin: Intent.Origin, in validity: UInt32) -> Intent.Origin {
    guard SyncRule.arrivals.isOn, origin.validity == self.validity, let uid = uids[origin.uid]
    else { return origin }
    return Intent.Origin(source: origin.source, validity: validity, uid: uid)
  }
}
