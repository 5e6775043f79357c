internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

// What is known once it is done.
extension GroupSync {
  /// Closes the intents of uploads that did not arrive, once all is done that was planned for their files: the
  /// message may have been found in another mailbox.
  func resolveMissingUploads(_ group: [OpenMailbox]) throws(SyncFailure) {
    guard group.allSatisfy({ outcome[$0].isComplete && !$0.hasFailed }) else { return }
    try each(group) { mailbox, _ throws(SyncFailure) in
      let held = OctetSet((mailbox.plan?.blocked ?? []).compactMap(\.unpulledAddition))
      let resolved = mailbox.missingUploads.filter { !held.contains($0.key) }
      try mailbox.record(resolved.map { .resolved(number: $0.value) })
    }
  }

  /// What is recorded at the end of a run in a mailbox.
  private struct End {
    let mailbox: OpenMailbox
    let plan: MailboxPlan
    /// Whether nothing is left to be done.
    let isComplete: Bool
    let records: [StateRecord]
  }

  /// Moves the checkpoints as far as all is done, and says what the run did in the mailboxes.
  func finish(_ group: [OpenMailbox]) throws(SyncFailure) {
    var ends: [End] = []
    try each(group) { mailbox, _ throws(SyncFailure) in
      if let end = try end(of: mailbox, in: group) { ends.append(end) }
    }
    try all(group) { _, _ in OpenMailbox.record(ends.map { ($0.mailbox, $0.records) }) }
    let byID = Dictionary(
      ends.map { ($0.mailbox.mailbox.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    try each(group) { mailbox, _ throws(SyncFailure) in
      if let end = byID[mailbox.mailbox.id] { try reportEnd(end, in: group) }
    }
  }

  private func end(
    of mailbox: OpenMailbox,
    in group: [OpenMailbox]
  ) throws(SyncFailure) -> End? {
    guard let plan = mailbox.plan else { return nil }
    let concluded = concludedMoves(mailbox, group)
    let isComplete =
      outcome[mailbox].isComplete && !plan.isStoppedByGuard && !plan.isPostponed
      && mailbox.remote.missing == 0 && !awaitsCompletion(mailbox)
      && mailbox.state.intents.count == concluded.count
    let records =
      concluded + (isComplete ? reached(mailbox, plan) : []) + (try versions(of: mailbox))
    return End(mailbox: mailbox, plan: plan, isComplete: isComplete, records: records)
  }

  private func reportEnd(_ end: End, in group: [OpenMailbox]) throws(SyncFailure) {
    let (mailbox, plan, isComplete) = (end.mailbox, end.plan, end.isComplete)
    let outcome = outcome[mailbox]
    let journal = mailbox.journal
    try attempt(journal.checkpoint())
    if plan.isStoppedByGuard { reportMassDeletion(mailbox, plan) }
    if mailbox.hasOpenMoves(of: plan, after: outcome) { runState.noteOpenMove() }
    var entry = Summary.Entry(
      header: mailbox.state.header,
      messages: mailbox.state.messages.count,
      isComplete: isComplete,
      fingerprints: nil
    )
    if plan.awaitsFiles {
      let before = mailbox.mailbox.entry
      (entry.fingerprints, entry.drafts) = (before?.fingerprints, before?.drafts ?? [])
    } else if !outcome.mayGrow {
      mailbox.noteFiles(in: &entry)
    }
    entry.blocked = BlockedDifferences(context, runState).report(
      plan,
      of: mailbox.mailbox,
      mailbox.state
    )
    // What is blocked waits for a person from the first run on.
    if plan.isStoppedByGuard { entry.unfinishedRuns = Summary.Entry.runLimit }
    reportReadOnly(mailbox, plan, group)
    if !outcome.changes.isEmpty { context.report(.changed(outcome.changes)) }
    var report = report(of: mailbox)
    report.add(plan.blocked)
    add(report, entry, of: mailbox)
    runState.noteLook(at: entry, hasOpenLosses: hasOpenLosses(entry, plan, report))
  }

  /// Whether a message that the server has no more may wait for what becomes of its file; what only waits to be fetched does not
  /// count.
  private func hasOpenLosses(
    _ entry: Summary.Entry,
    _ plan: MailboxPlan,
    _ report: MailboxReport
  ) -> Bool {
    let isLeft = plan.blocked.contains {
      if case .serverDeletion = $0.difference { true } else { false }
    }
    let isUndone = !entry.isComplete && report.left.messages == 0
    return isLeft || isUndone || plan.isDeferred && !context.reach.pushes
  }

  /// Whether there are messages that are to be here whole and are not yet, such as one that followed another client's move.
  private func awaitsCompletion(_ mailbox: OpenMailbox) -> Bool {
    let wanted = context.mailboxes.completions(of: mailbox.mailbox)
    return context.policy(of: mailbox).pulls
      && !mailbox.state.messages.partialUIDs(wanted: wanted).isEmpty
  }

  /// Writes down the keywords that file names cannot hold, for those who search; gives the mailboxes in which that failed.
  ///
  /// Before the checkpoint: a run that is stopped between the two is followed by one that does it again.
  func noteKeywords(
    of group: [OpenMailbox],
    _ outcome: inout StepOutcome
  ) -> [MailboxFailure] {
    var failures: [MailboxFailure] = []
    var open: [(mailbox: OpenMailbox, file: KeywordFile)] = []
    for mailbox in group where mailbox.plan != nil {
      do throws(SyncFailure) {
        if let file = try changedKeywords(mailbox) { open.append((mailbox, file)) }
      } catch {
        failures.append((mailbox, error))
      }
    }
    guard !open.isEmpty else { return failures }
    let results: [Result<[[UInt8]], SystemError>]
    do throws(SystemError) {
      // A command for tags may write them at this moment.
      results = try TagLock.with(context.store.directory) {
        KeywordFile.write(open.map { ($0.file, $0.mailbox.directory) })
      }
    } catch {
      return failures + open.map { ($0.mailbox, .system(error)) }
    }
    for ((mailbox, _), result) in zip(open, results) {
      switch result {
      case .success(let changed):
        let folder = mailbox.mailbox.directory
        outcome[mailbox].changes += changed.map { .marked(folder: folder, base: $0) }
      case .failure(let error): failures.append((mailbox, .system(error)))
      }
    }
    return failures
  }

  /// The keywords of a mailbox that are not written down as they are; nil where they are.
  private func changedKeywords(_ mailbox: OpenMailbox) throws(SyncFailure) -> KeywordFile? {
    var keywords: [[UInt8]: [[UInt8]]] = [:]
    for message in mailbox.state.messages.withKeywords {
      keywords[message.name] = message.flags.keywords
    }
    keywords.merge(try keywordsOfDetached(mailbox)) { known, _ in known }
    let (file, directory) = (KeywordFile(keywords), mailbox.directory)
    return try attempt(file.isWritten(in: directory)) ? nil : file
  }

  /// The keywords that detached files had when they were synced.
  private func keywordsOfDetached(
    _ mailbox: OpenMailbox
  ) throws(SyncFailure) -> [[UInt8]: [[UInt8]]] {
    // A run may have been ended between the mark and the record of it.
    let marked =
      context.policy(of: mailbox).keepsFiles
      ? OctetSet(mailbox.local.files.bases.filter(DetachedName.isOne)) : []
    let names = mailbox.state.detached.union(marked).filter { mailbox.file(of: $0) != nil }
    guard !names.isEmpty else { return [:] }
    let directory = mailbox.directory
    let before = try attempt(KeywordFile.of(directory))
    var keywords: [[UInt8]: [[UInt8]]] = [:]
    for name in names {
      let own = before[base: name]
      keywords[name] = own.isEmpty ? before[base: DetachedName.original(of: name)] : own
    }
    return keywords
  }

  /// Says which files show what no command can tell the server, since their mailboxes may not be changed.
  private func reportReadOnly(
    _ mailbox: OpenMailbox,
    _ plan: MailboxPlan,
    _ group: [OpenMailbox]
  ) {
    let refusals = plan.blocked.compactMap { blocked -> PushRefusal? in
      guard blocked.cause == .readOnly else { return nil }
      switch blocked.difference {
      case .addition(let name): return PushRefusal(mailbox, name, .readOnly)
      case .move(let uid, let target):
        guard let record = mailbox.state.messages[uid],
          let target = group.first(where: { $0.mailbox.id == target })
        else { return nil }
        return PushRefusal(target, record.name, .readOnly)
      case .flags, .removal, .serverDeletion, .download: return nil
      }
    }
    if !refusals.isEmpty { context.report(.refused(refusals)) }
  }

  /// Closes the intents of moves that both mailboxes have on record by now.
  private func concludedMoves(_ mailbox: OpenMailbox, _ group: [OpenMailbox]) -> [StateRecord] {
    mailbox.state.origins.compactMap { number, origin in
      guard let source = group.first(where: { $0.mailbox.id == origin.source }),
        !source.state.holds(origin)
      else { return nil }
      return .resolved(number: number)
    }
  }

  /// The checkpoint up to which the changes of the server are here, where it moves.
  ///
  /// What a plan leaves to a run that may do more is told again to every run until then.
  private func reached(_ mailbox: OpenMailbox, _ plan: MailboxPlan) -> [StateRecord] {
    let header = mailbox.state.header
    let remote = mailbox.checkpoint
    var records: [StateRecord] = []
    let modSequence = plan.isDeferred ? header.modSequence : remote.modSequence
    let uidNext =
      plan.isDeferred && !context.policy(of: mailbox).pulls ? header.uidNext : mailbox.lookedUpTo
    if header.uidNext != uidNext || header.modSequence != modSequence {
      records.append(.reached(uidNext: uidNext, modSequence: modSequence))
    }
    let window = context.mailboxes.window(of: mailbox.mailbox)
    if header.window != window { records.append(.window(window)) }
    if !remote.serverID.isEmpty, header.serverID != remote.serverID {
      records.append(.serverID(remote.serverID))
    }
    return records
  }

  // MARK: Reports

  /// What the run did in a mailbox so far.
  private func report(of mailbox: OpenMailbox) -> MailboxReport {
    var report = MailboxReport(mailbox: mailbox.mailbox.path.display)
    report.add(outcome[mailbox].counts)
    return report
  }

  private func add(_ report: MailboxReport, _ entry: Summary.Entry, of mailbox: OpenMailbox) {
    noteReported(mailbox)
    runState.add(report, entry, deletions: deletions(report, mailbox))
    context.report(.mailbox(report))
  }

  /// Those that the deletion guard is to remember.
  private func deletions(_ report: MailboxReport, _ mailbox: OpenMailbox) -> Int {
    guard context.countsDeletions(in: mailbox.mailbox) else { return 0 }
    return report.removed + max(0, report.deleted - outcome[mailbox].copiedBefore)
  }

  /// Says what was done and recorded in a mailbox before it or the connection failed: who does the rest finds it done.
  func reportUnfinished(_ mailbox: OpenMailbox) {
    noteReported(mailbox)
    var report = report(of: mailbox)
    // What did not work out is tried again, over another connection or in the next run.
    report.failed = 0
    report.left = LeftMessages()
    guard !context.options.isDryRun, !report.isQuiet else { return }
    let changes = outcome[mailbox].changes
    if !changes.isEmpty { context.report(.changed(changes)) }
    runState.add(unfinished: report, deletions: deletions(report, mailbox))
    context.report(.mailbox(report))
  }

  /// The state of the run counts it as if it were done, so that the deletion guard judges the next mailbox as it will then.
  func reportPlanned(_ mailbox: OpenMailbox) {
    guard let plan = mailbox.plan else { return }
    var report = report(of: mailbox)
    report.add(
      planned: plan,
      isForArrivals: mailbox.mailbox.isForArrivals,
      keyword: mailbox.mailbox.arrivalKeyword
    )
    report.add(plan.blocked)
    if plan.isStoppedByGuard { reportMassDeletion(mailbox, plan) }
    _ = BlockedDifferences(context, runState).report(
      plan,
      of: mailbox.mailbox,
      mailbox.state
    )
    let entry = Summary.Entry(
      header: mailbox.state.header,
      messages: mailbox.state.messages.count + report.fetched - report.removed,
      isComplete: false,
      fingerprints: nil
    )
    add(report, entry, of: mailbox)
  }

  private func reportMassDeletion(_ mailbox: OpenMailbox, _ plan: MailboxPlan) {
    let blocked = plan.blocked.filter { $0.cause == .massDeletion }
    let isHere = blocked.contains { if case .removal = $0.difference { true } else { false } }
    let problem = MailboxProblem.massDeletion(
      count: blocked.count,
      of: mailbox.state.messages.count,
      isHere: isHere
    )
    context.report(.problem(mailbox: mailbox.mailbox.path.display, .mailbox(problem)))
  }
}

extension BlockedChange {
  /// The base name of a file that is to follow its message, by a run that may move it.
  fileprivate var unpulledAddition: [UInt8]? {
    guard cause == .pushOnly, case .addition(let name) = difference else { return nil }
    return name
  }
}
