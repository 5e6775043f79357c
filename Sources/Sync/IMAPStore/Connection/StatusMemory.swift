internal import IMAP
internal import MailModel

/// What a list said of the mailboxes, to be compared with what NOTIFY says of them as it begins.
///
/// What changes after the list and before NOTIFY is told by neither.
struct StatusMemory {
  private var listed: [MailboxName: MailboxStatus] = [:]
  /// What NOTIFY said when it began the last time, and which listed mailboxes it said nothing of.
  private var before: (told: [MailboxName: MailboxStatus], missing: Set<MailboxName>) = ([:], [])

  /// Takes what a list says of all mailboxes.
  mutating func list(_ statuses: [MailboxName: MailboxStatus]) {
    listed = statuses
  }

  /// Takes what NOTIFY says as it begins of all mailboxes but the one that is open; gives whether one changed since the list.
  ///
  /// Where a status is as it was when NOTIFY began before, a sync in between saw nothing to do, whatever the list says. The
  /// server may count differently there, or not list it.
  mutating func isChanged(
    _ told: [MailboxName: MailboxStatus],
    besides open: MailboxName?
  ) -> Bool {
    let missing = Set(listed.keys).subtracting(told.keys).subtracting([open].compactMap { $0 })
    defer { before = (told, missing) }
    return !missing.isSubset(of: before.missing)
      || told.values.contains {
        $0.differs(from: listed[$0.name]) && $0.differs(from: before.told[$0.name])
      }
  }
}

extension MailboxStatus {
  /// Whether they tell different things of a mailbox; what one of them does not tell is not compared.
  fileprivate func differs(from other: MailboxStatus?) -> Bool {
    guard let other else { return true }
    return messages.differs(from: other.messages) || uidNext.differs(from: other.uidNext)
      || uidValidity.differs(from: other.uidValidity)
      || highestModSequence.differs(from: other.highestModSequence)
  }
}
