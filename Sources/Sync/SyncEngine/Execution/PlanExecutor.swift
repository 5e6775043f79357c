internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Carries out what plans change here, and records each step once it is durable.
///
/// It never decides: a step whose file is no longer as the plan saw it is left out, and the next run plans anew.
struct PlanExecutor {
  private let context: AccountContext
  private let group: [UInt64: OpenMailbox]

  /// An executor for mailboxes that were planned together, by their ids.
  init(_ context: AccountContext, _ group: [UInt64: OpenMailbox]) {
    self.context = context
    self.group = group
  }

  /// Makes the directories of mailboxes that have none, and their first records; gives those in which that failed.
  func prepare(
    _ mailboxes: [OpenMailbox],
    _ outcome: inout StepOutcome
  ) -> [MailboxFailure] {
    let elsewhere = Set(mailboxes.filter(context.mailboxes.isElsewhere).map(\.mailbox.id))
    for mailbox in mailboxes {
      // The next run sees what became of files of one name.
      if !mailbox.local.duplicates.isEmpty || elsewhere.contains(mailbox.mailbox.id) {
        outcome[mailbox].isComplete = false
      }
      if mailbox.local.isMissing { context.report(.making(directory: mailbox.mailbox.directory)) }
    }
    var preparation = MailboxPreparation(context.tree, mailboxes) {
      elsewhere.contains($0.mailbox.id)
    }
    return preparation.prepare().map { ($0, .system($1)) }
  }

  /// Gives each file of a mailbox a base name of its own, and reports what is no file.
  func nameFiles(_ mailbox: OpenMailbox, _ outcome: inout StepOutcome) throws(SyncFailure) {
    let failures = try attempt { () throws(SystemError) in
      try SameNames(mailbox).resolveDuplicates()
    }
    for failure in failures { outcome[mailbox].fail(failure) }
    let misfits = mailbox.local.misfits
    if let first = misfits.min(by: { $0.lexicographicallyPrecedes($1) }) {
      outcome[mailbox].addFailure(.file(first, .notAFile(count: misfits.count)))
    }
  }

  // MARK: Records only

  /// Records that messages are on neither side.
  ///
  /// `done` is what all steps before came to.
  func forget(
    _ mailbox: OpenMailbox,
    after done: StepOutcome,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) {
    let uids = mailbox.remainingPlan.forgets.map(\.step) + done[mailbox].forgotten
    guard !uids.isEmpty else { return }
    let state = mailbox.state
    let names = OctetSet(uids.compactMap { state.messages[$0]?.name })
    let needed = try neededNames(names, done)
    let open = Set(
      group.values.flatMap { $0.openFormerRecords(after: done[$0]) }
        .filter { $0.mailbox == mailbox.mailbox.id }.map(\.uid)
    )
    let forgotten = uids.filter { uid in
      !open.contains(uid) && state.messages[uid].map { !needed.contains($0.name) } ?? true
    }
    if forgotten.count < uids.count { outcome[mailbox].isComplete = false }
    try mailbox.record(forgotten.map { .gone(uid: $0) })
  }

  /// Those of the names whose records are needed until the next run.
  ///
  /// Not those of files that followed their messages: where one comes back, it is the other record's. All others are, where what is
  /// gone may be in another mailbox of the server.
  private func neededNames(_ names: OctetSet, _ done: StepOutcome) throws(SyncFailure) -> OctetSet {
    let open = OctetSet(
      names.filter { name in !done.parts.contains { $0.part.followed.contains(name) } }
    )
    let isHeld = group.values.contains { $0.plan?.holdsUnseen ?? false }
    return isHeld ? open : leftBehind(done).union(try underWay(open))
  }

  /// Files that no scan saw, and that are there now: they were moved while the run was looking.
  ///
  /// Where a file of that name is accounted for, it is a copy; and a folder that did not change holds nothing new.
  private func underWay(_ unseen: OctetSet) throws(SyncFailure) -> OctetSet {
    guard !unseen.isEmpty else { return [] }
    let found = try attempt(NameSearch(context.trees).places(of: unseen))
    guard let found else { return unseen }
    let recorded = RecordedFiles(context.trees, Array(group.values))
    var new: OctetSet = []
    for (name, places) in found {
      for place in places where try isNew(name, in: place, recorded) { new.insert(name) }
    }
    return new
  }

  private func isNew(
    _ name: [UInt8],
    in directory: Path,
    _ recorded: RecordedFiles
  ) throws(SyncFailure) -> Bool {
    if try recorded.accountsFor(name, in: directory) { return false }
    if group.values.contains(where: { $0.directory == directory }) { return true }
    guard let fingerprints = MaildirFingerprints(of: directory) else { return true }
    return fingerprints.areChanged(since: context.start - 1_000_000_000)
  }

  /// Files that were renamed before they could follow their messages or be sent up again: their records are still
  /// needed, or the files would look new.
  private func leftBehind(_ done: StepOutcome) -> OctetSet {
    unfollowed(done).union(
      names { mailbox, plan in
        plan.uploads.filter {
          $0.step.replacing == nil && mailbox.isReupload($0)
            && mailbox.state.uid(of: $0.step.name) == nil
        }.map(\.step.name)
      }
    )
  }

  /// Files that did not follow their messages.
  private func unfollowed(_ done: StepOutcome) -> OctetSet {
    names { mailbox, plan in mailbox.unfollowed(in: plan, after: done[mailbox]) }
  }

  /// Names that the plans tell, also those of mailboxes in which something failed.
  private func names(_ names: (OpenMailbox, MailboxPlan) -> [[UInt8]]) -> OctetSet {
    OctetSet(group.values.flatMap { mailbox in mailbox.plan.map { names(mailbox, $0) } ?? [] })
  }

  // MARK: Names

  /// Gives files the flags and the places that the server wants; gives the mailboxes in which nothing more can be done.
  func renameFiles(
    _ mailboxes: [OpenMailbox],
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) -> [MailboxFailure] {
    try NameChanges.renameFiles(
      mailboxes.map { ($0, $0.remainingPlan.renames.map(\.step)) },
      in: group,
      context.interruption,
      &outcome
    )
  }

  // MARK: Deletions

  /// Removes the files of messages that the server has no more; gives the mailboxes in which nothing more can be done.
  ///
  /// `done` is what all steps before came to. What was removed is recorded also where the run is interrupted.
  func removeFiles(
    _ mailboxes: [OpenMailbox],
    after done: StepOutcome,
    _ outcome: inout StepOutcome
  ) throws(SyncFailure) -> [MailboxFailure] {
    var done = done
    var steps: [NameChanges] = []
    var failures: [MailboxFailure] = []
    var end: SyncFailure?
    for mailbox in mailboxes where end == nil {
      var step = NameChanges(mailbox)
      do throws(SyncFailure) {
        var part = StepOutcome.Part()
        defer {
          outcome[mailbox].merge(part)
          done[mailbox].merge(part)
        }
        try removeFiles(of: mailbox, after: done, &step, &part)
      } catch {
        if error.endsConnection { end = error } else { failures.append((mailbox, error)) }
      }
      steps.append(step)
    }
    failures += NameChanges.flushChanges(of: &steps, but: failures)
    for (mailbox, step) in zip(mailboxes, steps) { outcome[mailbox].merge(step.outcome) }
    if let end { throw end }
    return failures
  }

  private func removeFiles(
    of mailbox: OpenMailbox,
    after done: StepOutcome,
    _ step: inout NameChanges,
    _ outcome: inout StepOutcome.Part
  ) throws(SyncFailure) {
    var removed = 0
    let left = unfollowed(done)
    for doomed in doomed(mailbox, done[mailbox]) {
      if left.contains(doomed.name) {
        outcome.isComplete = false
        continue
      }
      if context.interruption.isRequested { throw .interrupted }
      if let successor = doomed.successor {
        guard try step.passFlags(to: successor, in: context.tree),
          step.passTags(of: doomed.name, to: successor, in: context.tree, context.store.directory)
        else { continue }
      }
      guard try step.remove(doomed.name, doomed.uid) else { continue }
      // Another file of that name is a copy: the record must not count for it too.
      if doomed.successor != nil { outcome.followed.insert(doomed.name) }
      removed += 1
    }
    outcome.counts.removed += removed
    // What the user let through is no sign of an accident.
    if removed > 0, context.countsDeletions(in: mailbox.mailbox) {
      step.add(.deletions(removed, in: mailbox.state))
    }
  }

  /// A file that goes, with the message that is on record for it.
  private struct Doomed {
    let name: [UInt8]
    let uid: UInt32?
    /// The file that its flags go to first; nil where there is none.
    var successor: NameChanges.Successor?

    init(_ name: [UInt8], _ uid: UInt32?, successor: NameChanges.Successor? = nil) {
      self.name = name
      self.uid = uid
      self.successor = successor
    }

    init(_ deletion: FileDeletion) {
      switch deletion {
      case .synced(let name, let uid, _): self.init(name, uid)
      case .superseded(let name, let uid, let survivor, let adding, let removing):
        self.init(name, uid, successor: NameChanges.Successor(survivor, adding, removing))
      }
    }
  }

  /// The files that go; an expunged message's once that has gone.
  private func doomed(_ mailbox: OpenMailbox, _ done: StepOutcome.Part) -> [Doomed] {
    let marked = mailbox.remainingPlan.removals.compactMap { removal -> Doomed? in
      switch removal.step {
      case .marked(let name, let uid): done.expunged.contains(uid) ? Doomed(name, uid) : nil
      case .fileless, .copied, .replaced: nil
      }
    }
    return marked + (mailbox.remainingPlan.deletions.map(\.step) + done.joined).map { Doomed($0) }
  }
}
