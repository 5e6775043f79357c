internal import MailModel
internal import MailStore
internal import Mailboxes
import Octets
internal import SyncPlan

// What is to be done.
extension GroupSync {
  func plan(_ group: [OpenMailbox]) throws(SyncFailure) {
    let input = try PlanInput(context.mailboxes, runState, store, group)
    try each(group) { mailbox, _ throws(SyncFailure) in try input.gather(mailbox) }
    let doubtful = input.doubtful()
    try each(group) { mailbox, _ throws(SyncFailure) in
      try input.readContents(doubtful[mailbox.mailbox.id], of: mailbox)
    }
    let planned = group.filter { !$0.hasFailed }
    // Behind all that the plan rests on: a message may be moved on before its header is read.
    try MoveRaceCheck(context.mailboxes, store, runState).markMailboxes(in: planned)
    let items = try input.snapshots(of: planned, requests: context.requests)
    // What is to be seen in another mailbox first waits for the next run.
    for (mailbox, item) in zip(planned, items) where item.awaitsOther { leaveIncomplete(mailbox) }
    let plans = Planner.plan(items.map(\.snapshot), policy: context.mailboxes.rules.policy)
    let reader = MoveDetailsReader(group, readsSubjects: context.options.isDryRun)
    for (mailbox, plan) in zip(planned, plans) { mailbox.adoptPlan(plan) }
    if context.options.isDryRun {
      try each(planned) { mailbox, outcome throws(SyncFailure) in
        try leaveOutImpossible(mailbox, group, &outcome)
      }
    }
    for mailbox in planned where !mailbox.hasFailed {
      guard let plan = mailbox.plan else { continue }
      let name = mailbox.mailbox.path.display
      context.report(.planned(mailbox: name, plan, moves: reader.details(plan)))
    }
  }

  /// Leaves files out of a plan that a run could not upload, and reports them.
  private func leaveOutImpossible(
    _ mailbox: OpenMailbox,
    _ group: [OpenMailbox],
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    guard var plan = mailbox.plan else { return }
    let others = group.keyed(by: \.mailbox.id)
    var push = UploadPush(context: context, store: store, mailbox: mailbox, group: others)
    defer { outcome.merge(push.outcome) }
    plan.hold(.unsendable(try push.unsendable(plan.uploads)))
    mailbox.adoptPlan(plan)
  }
}
