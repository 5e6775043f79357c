internal import MailModel
internal import Octets

/// Finds records of messages that are gone from the server and whose file belongs to another record.
///
/// A pure function on all mailboxes together.
///
/// A run that was killed between the logs of two mailboxes leaves a record in the mailbox that a message left, beside the
/// record where it is. A file that goes back there is the living message's, and must not go with the other record. Where a
/// message is new that the record may be of, or was fetched since its mailbox was looked at, the two are two messages.
enum SupersededRecords {
  /// A record in its mailbox.
  private struct Living {
    let mailbox: UInt64
    let record: BaseRecord
  }

  /// The UIDs of these records, in the order of the mailboxes.
  static func find(_ mailboxes: [MailboxSnapshot], _ remotes: [RemoteIndex]) -> [Set<UInt32>] {
    let gone = zip(mailboxes, remotes).map { mailbox, remote in
      mailbox.base.filter { remote.isGone($0.uid) }
    }
    guard SyncRule.departures.isOn, gone.contains(where: { !$0.isEmpty }) else {
      return gone.map { _ in [] }
    }
    let new = Sameness.newMarks(mailboxes, remotes)
    let wanted = OctetSet(gone.joined().map(\.name))
    var living = OctetTable<[Living]>()
    for (mailbox, remote) in zip(mailboxes, remotes) {
      for record in mailbox.base where wanted.contains(record.name) && !remote.isGone(record.uid) {
        let found = Living(mailbox: mailbox.mailbox, record: record)
        living[record.name] = (living[record.name] ?? []) + [found]
      }
    }
    let files = Dictionary(
      first: mailboxes.map { mailbox in
        (mailbox.mailbox, OctetSet(mailbox.local.map(\.name).filter(wanted.contains)))
      }
    )
    return zip(mailboxes, gone).map { mailbox, records in
      let superseded = records.filter { record in
        guard files[mailbox.mailbox]?.contains(record.name) == true else { return false }
        let isNew = Trace(record).key(.mark).map { new[$0] != nil } ?? false
        let isElsewhere = mailbox.outside.survivors[record.name] != nil
        return living[record.name]?.contains { living in
          if living.mailbox == mailbox.mailbox { return true }
          let hasFile = files[living.mailbox]?.contains(record.name) == true
          return !isNew && !isElsewhere && !hasFile && record.holdsSame(as: living.record)
        } == true
      }
      return Set(superseded.map(\.uid))
    }
  }
}
