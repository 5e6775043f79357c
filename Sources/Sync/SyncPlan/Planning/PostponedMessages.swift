internal import MailModel
internal import Octets

/// Messages that are gone from their mailboxes and whose files are, or may be, in places that this plan does not see: a
/// pure function on all mailboxes together.
///
/// The file was moved while the run went on. Were the message forgotten, and fetched where the server has it now, the
/// file would be sent up as a new one by the next run. So both wait for that run, which sees the file. The same goes for a
/// message whose file is seen and whose mailbox is not, and for one that was fetched anew where the server moved it, and whose
/// file there was moved on.
struct PostponedMessages {
  /// Why the messages of these records are left alone.
  private(set) var records: [RemoteReference: BlockedChange.Cause] = [:]
  /// Messages that may arrive elsewhere, by size and date, and why they are not fetched then.
  private var arrivals: [Sameness.Key: [(trace: Trace, cause: BlockedChange.Cause)]] = [:]

  init(
    _ mailboxes: [MailboxSnapshot],
    _ differences: [LocalDifference],
    _ moves: MoveMatcher
  ) {
    for mailbox in mailboxes {
      for look in mailbox.outside.fromElsewhere.values.joined() {
        arrivals[look, default: []].append((Trace(), .fromElsewhere))
      }
    }
    for (mailbox, difference) in zip(mailboxes, differences) {
      for uid in mailbox.outside.mayHaveMoved {
        records[RemoteReference(mailbox: mailbox.mailbox, uid: uid)] = .mayHaveMoved
      }
      for record in difference.missing {
        let reference = RemoteReference(mailbox: mailbox.mailbox, uid: record.uid)
        guard difference.file(of: record.name) == nil, records[reference] == nil else { continue }
        if moves.deserted[reference] != nil {
          records[reference] = Self.cause(ofDeserted: record, mailbox, moves)
          continue
        }
        guard let cause = Self.cause(record, mailbox) else { continue }
        records[reference] = cause
        // A server may give what it moves another body.
        let trace = Trace(
          messageID: record.identity?.messageID,
          size: record.size,
          date: record.date
        )
        guard let look = trace.key(.look) else { continue }
        arrivals[look, default: []].append((trace, cause))
      }
    }
  }

  private static func cause(
    ofDeserted record: BaseRecord,
    _ mailbox: MailboxSnapshot,
    _ moves: MoveMatcher
  ) -> BlockedChange.Cause? {
    if case .underWay(let survivor)? = mailbox.outside.survivors[record.name],
      moves.movedPlace(of: survivor) == nil
    {
      return .movedOn
    }
    // What looks like its file may be a copy of the one that was not seen.
    return mailbox.absence == .unproven ? .absenceUnproven : nil
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
    guard SyncRule.unseen.isOn else { return nil }
    let trace = Trace(message)
    return trace.key(.look).flatMap { arrivals[$0] }?
      .last { Sameness.compare($0.trace, trace, .movedByServer).level != .no }?.cause
  }
}
