internal import MailModel
internal import MailStore
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
    guard group.allSatisfy({ $0.outcome.isComplete && !$0.hasFailed }) else { return }
    try each(group) { mailbox, _ throws(SyncFailure) in
      try mailbox.record(mailbox.missingUploads.values.map { .resolved(number: $0) })
    }
  }

  /// Moves the checkpoint as far as all is done, and says what the run did in a mailbox.
  func finish(_ mailbox: OpenMailbox, in group: [OpenMailbox]) throws(SyncFailure) {
    guard let plan = mailbox.plan else { return }
    let concluded = concludedMoves(mailbox, group)
    let isComplete =
      mailbox.outcome.isComplete && !plan.isStoppedByGuard && !plan.isPostponed
      && mailbox.remote.missing == 0
      && mailbox.state.intents.count == concluded.count
    try mailbox.record(concluded + (isComplete ? reached(mailbox) : []))
    try noteVersions(mailbox)
    let journal = mailbox.journal
    try attempt { () throws(SystemError) in try journal.checkpoint() }
    if plan.isStoppedByGuard { reportMassDeletion(mailbox, plan) }
    if mailbox.hasOpenMoves(of: plan) { ledger.noteOpenMove() }
    var entry = Summary.Entry(
      header: mailbox.state.header,
      messages: mailbox.state.messages.count,
      isComplete: isComplete,
      fingerprints: mailbox.outcome.mayGrow ? nil : currentFingerprints(mailbox)
    )
    entry.blocked = BlockedDifferences(context, ledger).report(plan, of: mailbox.mailbox)
    // What is blocked waits for a person from the first run on.
    if plan.isStoppedByGuard { entry.unfinishedRuns = Summary.Entry.runLimit }
    let changes = mailbox.outcome.changes
    reportReadOnly(mailbox, plan, group)
    if !changes.isEmpty { context.report(.changed(changes)) }
    var report = mailbox.report
    report.add(plan.blocked)
    add(report, entry, of: mailbox)
  }

  /// Writes down the keywords that file names cannot hold, for those who search.
  ///
  /// Before the checkpoint: a run that is stopped between the two is followed by one that does it again.
  func noteKeywords(_ mailbox: OpenMailbox) throws(SyncFailure) -> [MaildirChange] {
    guard mailbox.plan != nil else { return [] }
    var keywords: [[UInt8]: [[UInt8]]] = [:]
    for message in mailbox.state.messages.values where !message.flags.keywords.isEmpty {
      keywords[message.name] = message.flags.keywords
    }
    let directory = mailbox.directory
    let changed = try attempt { () throws(SystemError) in
      try KeywordFile(keywords).write(in: directory)
    }
    let folder = mailbox.mailbox.directory
    return changed.map { .marked(folder: folder, base: $0) }
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
      case .addition(let name): return PushRefusal(mailbox, name, "", nil)
      case .move(let uid, let target):
        guard let record = mailbox.state.messages[uid],
          let target = group.first(where: { $0.mailbox.id == target })
        else { return nil }
        return PushRefusal(target, record.name, "", nil)
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
  private func reached(_ mailbox: OpenMailbox) -> [StateRecord] {
    let header = mailbox.state.header
    let remote = mailbox.remote
    var records: [StateRecord] = []
    if header.uidNext != remote.uidNext || header.modSequence != remote.modSequence {
      records.append(.reached(uidNext: remote.uidNext, modSequence: remote.modSequence))
    }
    if header.window != context.window { records.append(.window(context.window)) }
    if !remote.serverID.isEmpty, header.serverID != remote.serverID {
      records.append(.serverID(remote.serverID))
    }
    return records
  }

  /// Remembers what the files of drafts look like, so that one written anew in its place is noticed.
  private func noteVersions(_ mailbox: OpenMailbox) throws(SyncFailure) {
    let state = mailbox.state
    var records: [StateRecord] = []
    for message in state.messages.values where state.versions[message.uid] == nil {
      records += try mailbox.version(of: message)
    }
    try mailbox.record(records)
  }

  /// The fingerprints after the run; a directory that was changed just now need not be scanned to know none.
  private func currentFingerprints(_ mailbox: OpenMailbox) -> MaildirFingerprints? {
    guard MaildirFingerprints(of: mailbox.directory)?.areReliable ?? false else { return nil }
    let local = try? LocalMailbox(mailbox.directory, header: mailbox.state.header)
    return local?.fingerprints(matching: mailbox.state)
  }

  // MARK: Reports

  private func add(_ report: MailboxReport, _ entry: Summary.Entry, of mailbox: OpenMailbox) {
    ledger.add(
      report,
      entry,
      deletions: context.countsDeletions(in: mailbox.mailbox) ? report.removed + report.deleted : 0
    )
    context.report(.mailbox(report))
  }

  /// The ledger hears of it as if it were done, so that the deletion guard judges the next mailbox as it will then.
  func reportPlanned(_ mailbox: OpenMailbox) {
    guard let plan = mailbox.plan else { return }
    var report = mailbox.report
    report.add(planned: plan, isForArrivals: mailbox.mailbox.isForArrivals)
    report.add(plan.blocked)
    if plan.isStoppedByGuard { reportMassDeletion(mailbox, plan) }
    _ = BlockedDifferences(context, ledger).report(plan, of: mailbox.mailbox)
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
