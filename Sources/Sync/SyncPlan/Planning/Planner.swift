internal import MailModel

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
