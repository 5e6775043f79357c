internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Looks at one mailbox without the server: whether it needs a connection in this run.
struct LocalSurvey {
  /// What was found.
  enum Finding: Hashable {
    /// Nothing happened, here or there.
    case settled
    /// Something may have to be done; `hasAbsences` says that messages are without their files, which may
    /// have moved to another mailbox, and `sources` are the mailboxes that messages were on their way from.
    case work(hasAbsences: Bool, sources: Set<UInt64> = [])
  }

  private let context: AccountContext
  private let ledger: RunLedger
  private let tellsVanished: Bool

  init(_ context: AccountContext, _ ledger: RunLedger, tellsVanished: Bool) {
    self.context = context
    self.ledger = ledger
    self.tellsVanished = tellsVanished
  }

  /// Looks, and reports a mailbox that is settled though its files changed.
  func look(at mailbox: MirroredMailbox) -> Finding {
    guard let entry = mailbox.entry else {
      return .work(hasAbsences: holdsOthers(mailbox))
    }
    let isUnchanged =
      !context.options.isScanning
      && !(context.policy.pushes && TagKeeping.isPending(in: context.path(of: mailbox)))
      && mailbox.isUnchangedOnServer(window: context.window, tellsVanished: tellsVanished)
    let fingerprints = MaildirFingerprints(of: context.path(of: mailbox))
    if let fingerprints, fingerprints == entry.fingerprints, !mayBeEdited(mailbox) {
      return isUnchanged ? .settled : .work(hasAbsences: false)
    }
    return (try? look(mailbox, isUnchanged: isUnchanged)) ?? .work(hasAbsences: false)
  }

  /// Whether files of other mailboxes lie in the folder of one that has no record.
  private func holdsOthers(_ mailbox: MirroredMailbox) -> Bool {
    let directory = context.path(of: mailbox)
    guard let local = try? LocalMailbox(directory, header: nil) else { return false }
    return local.hasForeignKeys(beside: nil, of: mailbox.id)
  }

  /// A draft that is written anew in its place leaves no mark on its directory.
  private func mayBeEdited(_ mailbox: MirroredMailbox) -> Bool {
    mailbox.role == .drafts && context.policy.pushes
  }

  private func look(
    _ mailbox: MirroredMailbox,
    isUnchanged: Bool
  ) throws(SyncFailure) -> Finding {
    let base = try MailboxBase(mailbox, context)
    guard let journal = base.journal else {
      return .work(hasAbsences: base.local.hasForeignKeys(beside: nil, of: mailbox.id))
    }
    // A detached file may be a message's that was moved here under the name that another one had.
    let hasDetached = base.local.hasDetached(journal.state)
    let hasAbsences =
      journal.state.messages.values.contains { base.local.files[$0.name] == nil }
      || !journal.state.intents.isEmpty || hasDetached
      || base.local.hasForeignKeys(beside: journal.state, of: mailbox.id)
    guard isUnchanged, !base.isDirectoryMissing, journal.state.intents.isEmpty,
      journal.state.pendingExpunges.isEmpty, base.local.duplicates.isEmpty,
      !base.local.hasUnrecorded(journal.state), !hasDetached
    else {
      context.cache.put(base, of: mailbox.id)
      return .work(hasAbsences: hasAbsences, sources: journal.state.pendingSources)
    }
    let snapshot = try Snapshots(context, ledger).snapshot(mailbox, journal.state, base.local)
    let plan = Planner.plan(snapshot, policy: context.policy)
    guard plan.isEmpty, !plan.isStoppedByGuard else {
      context.cache.put(base, of: mailbox.id)
      return .work(hasAbsences: hasAbsences)
    }
    conclude(mailbox, journal.state, base.local, plan)
    return .settled
  }

  private func conclude(
    _ mailbox: MirroredMailbox,
    _ state: MailboxState,
    _ local: LocalMailbox,
    _ plan: MailboxPlan
  ) {
    if !plan.blocked.isEmpty {
      context.report(.planned(mailbox: mailbox.path.display, plan, moves: [:]))
    }
    var report = MailboxReport(mailbox: mailbox.path.display)
    report.add(plan.blocked)
    var entry = Summary.Entry(
      header: state.header,
      messages: state.messages.count,
      isComplete: true,
      fingerprints: local.fingerprints(matching: state)
    )
    entry.blocked = BlockedDifferences(context, ledger).report(plan, of: mailbox)
    ledger.add(report, entry, deletions: 0)
    context.report(.mailbox(report))
  }
}
