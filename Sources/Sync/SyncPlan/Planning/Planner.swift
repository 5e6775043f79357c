internal import MailModel
internal import Octets

/// Decides what a sync does: (base, local, remote, policy) -> ordered actions with reasons.
///
/// A pure, total function. It never acts, and nothing else decides:
/// - a message is removed from one side only if the base says that it was on both, and a file only under the name
///   and with the content that the base has of it: what was moved or written anew is kept;
/// - flags merge one by one, the server wins where both sides changed the same one;
/// - what policy, deletion guard or doubt forbids is blocked and said, never dropped.
package enum Planner {
  /// The plans of the given mailboxes, in their order; moves are found between all of them.
  package static func plan(_ mailboxes: [MailboxSnapshot], policy: Policy) -> [MailboxPlan] {
    let remotes = mailboxes.map { RemoteIndex($0.remote) }
    let superseded = SupersededRecords.find(mailboxes, remotes)
    let differences = mailboxes.indices.map {
      LocalDifference(mailboxes[$0], remotes[$0], superseded: superseded[$0])
    }
    let matches = Matches(mailboxes, remotes, differences)
    var deletions = 0
    return mailboxes.indices.map { index in
      var mailbox = mailboxes[index]
      mailbox.deletionGuard.addDeletions(deletions)
      var planning = MailboxPlanning(
        mailbox,
        differences[index],
        remotes[index],
        matches,
        mailbox.policy ?? policy
      )
      let plan = planning.plan()
      deletions += countedDeletions(plan, in: mailbox)
      return plan
    }
  }

  /// What the deletion guard counts of a plan when it judges the mailboxes after it.
  private static func countedDeletions(_ plan: MailboxPlan, in mailbox: MailboxSnapshot) -> Int {
    if mailbox.deletionGuard.isOverridden || mailbox.role?.expectsDeletions ?? false { return 0 }
    return plan.removedFiles + plan.removedMessages
  }

  /// The plan of one mailbox that is looked at by itself.
  package static func plan(_ mailbox: MailboxSnapshot, policy: Policy) -> MailboxPlan {
    plan([mailbox], policy: policy)[0]
  }
}

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
