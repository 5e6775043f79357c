internal import MailModel

/// Messages that are gone from their mailboxes and whose files are, or may be, in places that this plan does not see: a
/// pure function on all mailboxes together.
///
/// Somebody moved the file while the run went on. Were the message forgotten, and fetched where the server has it now, the
/// file would be sent up as a new one by the next run. So both wait for that run, which sees the file.
struct PostponedMessages {
  /// Why the messages of these records are left alone.
  private(set) var records: [RemoteReference: BlockedChange.Cause] = [:]
  /// Why messages of that size and date are not fetched.
  private var arrivals: [Look: BlockedChange.Cause] = [:]

  /// What any copy of a message on the server has in common with it.
  private struct Look: Hashable {
    let size: UInt64
    let date: Int64
  }

  init(
    _ mailboxes: [MailboxSnapshot],
    _ differences: [LocalDifference],
    _ moves: MoveMatcher
  ) {
    for (mailbox, difference) in zip(mailboxes, differences) {
      for record in difference.missing {
        let reference = RemoteReference(mailbox: mailbox.mailbox, uid: record.uid)
        guard difference.file(of: record.name) == nil else { continue }
        if moves.deserted[reference] != nil {
          // What looks like its file may be a copy of the one that was not seen.
          if mailbox.absence == .unproven { records[reference] = .absenceUnproven }
          continue
        }
        guard let cause = Self.cause(record, mailbox) else { continue }
        records[reference] = cause
        arrivals[Look(size: record.size, date: record.date)] = cause
      }
    }
  }

  private static func cause(
    _ record: BaseRecord,
    _ mailbox: MailboxSnapshot
  ) -> BlockedChange.Cause? {
    if mailbox.outside.inMirrored.contains(record.name) { return .elsewhere }
    return mailbox.absence == .unproven ? .absenceUnproven : nil
  }

  /// Why a message that is new on the server is not fetched yet; nil where it is none of these.
  func cause(toPostpone message: RemoteMessage) -> BlockedChange.Cause? {
    guard let size = message.size, let date = message.date else { return nil }
    return arrivals[Look(size: size, date: date)]
  }
}
