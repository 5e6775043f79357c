internal import MailStore
internal import Mailboxes
internal import SyncEvents
internal import SyncPlan
internal import SyncState

// Doing it.
extension GroupSync {
  /// Carries out the plans, phase by phase.
  func execute(_ group: [OpenMailbox]) throws(SyncFailure) {
    let byID = Dictionary(
      group.map { ($0.mailbox.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let local = PlanExecutor(context, byID)
    let remote = PushExecutor(context, store, byID)
    try each(group) { mailbox, outcome throws(SyncFailure) in
      try local.prepare(mailbox, &outcome)
    }
    try each(group) { mailbox, outcome throws(SyncFailure) in
      try local.recordFacts(mailbox, &outcome)
    }
    try each(group) { mailbox, outcome throws(SyncFailure) in
      try local.renameFiles(mailbox, &outcome)
    }
    var held: Set<UInt64> = []
    if context.policy.pushes {
      try merging { outcome throws(SyncFailure) in
        held = try RescueCheck(context, store, group).run(&outcome)
      }
      let absence = try remote.absenceBeforeMoves(in: group)
      try each(group) { mailbox, outcome throws(SyncFailure) in
        let holdsRescues = held.contains(mailbox.mailbox.id)
        try remote.push(mailbox, absence, holdingRescues: holdsRescues, &outcome)
      }
    }
    try download(group)
    let removals = beginRemovals(group)
    defer { ledger.concludeRemovals(removals) }
    if context.policy.pushes {
      let absence = try remote.absenceBeforeRemovals(in: group)
      try each(group) { mailbox, outcome throws(SyncFailure) in
        try remote.remove(mailbox, absence, &outcome)
      }
    }
    try each(group) { mailbox, outcome throws(SyncFailure) in
      try local.removeFiles(mailbox, after: self.outcome, &outcome)
    }
    try each(group) { mailbox, outcome throws(SyncFailure) in
      try local.forget(mailbox, after: self.outcome, holdsRescues: !held.isEmpty, &outcome)
    }
  }

  /// Has names say what files are, where the account keeps what the server loses.
  func keepNames(_ group: [OpenMailbox]) throws(SyncFailure) {
    guard context.policy.keepsFiles else { return }
    try each(group) { mailbox, outcome throws(SyncFailure) in
      var step = NameKeeping(mailbox, account: context.store.directory)
      defer { outcome[mailbox].merge(step.outcome) }
      try step.run()
    }
  }

  /// Has the removals judged once more, right before they are carried out; gives how many count from now on.
  private func beginRemovals(_ group: [OpenMailbox]) -> Int {
    var begun = 0
    for mailbox in group where context.countsDeletions(in: mailbox.mailbox) {
      guard var plan = mailbox.plan, !mailbox.hasFailed else { continue }
      let count = plan.removedFiles + plan.removedMessages
      if count == 0 || ledger.beginRemovals(count) {
        begun += count
      } else {
        plan.blockRemovals()
        mailbox.take(plan)
      }
    }
    return begun
  }

  private func download(_ group: [OpenMailbox]) throws(SyncFailure) {
    let wanted = group.filter { !$0.remainingPlan.downloads.isEmpty }
    guard !wanted.isEmpty else { return }
    announce(wanted.flatMap(\.remainingPlan.downloads))
    let committers = wanted.map { DeliveryCommitter(context, $0.mailbox, $0.journal) }
    let orders = zip(wanted, committers).map { mailbox, committer in
      FetchOrder(
        mailbox.remainingPlan.downloads.map(\.step),
        in: mailbox.reference,
        into: committer
      )
    }
    do throws(SyncFailure) {
      let results = try store.fetch(orders)
      try merging { outcome throws(SyncFailure) in
        for (index, result) in results.enumerated() {
          try note(result, of: wanted[index], &outcome)
        }
      }
    } catch {
      for (mailbox, committer) in zip(wanted, committers) { conclude(committer, of: mailbox) }
      throw error
    }
    var isSettled = true
    for (mailbox, committer) in zip(wanted, committers) {
      isSettled = conclude(committer, of: mailbox) && isSettled
    }
    if !isSettled { try store.settle() }
  }

  /// Records what was fetched, also where its mailbox or the connection failed meanwhile; false where that does not work.
  @discardableResult
  private func conclude(_ committer: DeliveryCommitter, of mailbox: OpenMailbox) -> Bool {
    do throws(SyncFailure) {
      try merging { outcome throws(SyncFailure) in
        defer { outcome[mailbox].add(committer.result) }
        try committer.finish()
      }
      return true
    } catch {
      if !mailbox.hasFailed { giveUp(mailbox, error) }
      return false
    }
  }

  private func note(
    _ result: FetchResult,
    of mailbox: OpenMailbox,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    switch result {
    case .done(true): break
    case .done(false): outcome[mailbox].isComplete = false
    case .failed(let failure):
      guard !failure.endsConnection else { throw failure }
      giveUp(mailbox, failure)
    }
  }

  private func announce(_ downloads: [Planned<RemoteMessage>]) {
    context.report(.state(.bodies))
    context.report(
      .expected(
        messages: downloads.count,
        octets: downloads.reduce(0) { $0 + ($1.step.size ?? 0) }
      )
    )
  }
}
