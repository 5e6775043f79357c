internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Mirrors mailboxes that have to be seen together, since messages may have moved between them; often
/// it is just one.
///
/// Reads all of them, has them planned as a whole, and carries the plans out: records, pushes,
/// downloads, deletions last.
struct GroupSync {
  private let context: AccountContext
  private let ledger: RunLedger
  private let store: any MailStore

  init(_ context: AccountContext, _ ledger: RunLedger, _ store: any MailStore) {
    self.context = context
    self.ledger = ledger
    self.store = store
  }

  /// Mirrors the mailboxes in order.
  ///
  /// One that fails is reported and left alone. What was done is durable when it returns, and when it throws.
  ///
  /// - Throws: `SyncFailure` that ends the connection.
  func run(_ mailboxes: [MirroredMailbox]) throws(SyncFailure) {
    let group = try open(mailboxes)
    CommonMoment(group).settle()
    if !context.options.isDryRun { try settle(group) }
    let tags = TagKeeping(context, group)
    tags.read()
    try plan(group)
    guard !context.options.isDryRun else {
      for mailbox in group { reportPlanned(mailbox) }
      return
    }
    try execute(group)
    try resolveMissingUploads(group)
    try each(group) { mailbox throws(SyncFailure) in try noteKeywords(mailbox) }
    tags.settle()
    try each(group) { mailbox throws(SyncFailure) in try finish(mailbox, in: group) }
  }

  /// The server begins to answer for all of them while it is looked what is here.
  private func open(_ mailboxes: [MirroredMailbox]) throws(SyncFailure) -> [OpenMailbox] {
    let openings = mailboxes.map { MailboxOpening(context, store, $0) }
    try store.expect(openings.compactMap(\.expectedQuestion))
    var group: [OpenMailbox] = []
    for (mailbox, opening) in zip(mailboxes, openings) {
      context.report(.state(.headers))
      do throws(SyncFailure) {
        let opened = try opening.open()
        reportMissing(opened)
        group.append(opened)
      } catch {
        guard !error.endsRun else { throw error }
        if !context.facts.isPutOff(mailbox) { report(error, mailbox) }
        try store.settle()
      }
    }
    return group
  }

  /// What the last run left open.
  private func settle(_ group: [OpenMailbox]) throws(SyncFailure) {
    let resolver = IntentResolver(context, store)
    try each(group) { mailbox throws(SyncFailure) in try resolver.settle(mailbox, in: group) }
    try each(group) { mailbox throws(SyncFailure) in try resolver.bury(mailbox) }
    guard context.policy.pushes else { return }
    let keys = MovedKeys(store, group)
    try each(group) { mailbox throws(SyncFailure) in try keys.settle(mailbox) }
  }

  // MARK: Plan

  private func plan(_ group: [OpenMailbox]) throws(SyncFailure) {
    let outside = Surroundings(context, ledger, group)
    let gathering = DetailGathering(context, store, group, outside)
    try each(group) { mailbox throws(SyncFailure) in try gathering.gather(mailbox) }
    let doubtful = gathering.doubtful()
    try each(group) { mailbox throws(SyncFailure) in
      try gathering.readContents(doubtful[mailbox.mailbox.id], of: mailbox)
    }
    let planned = group.filter { !$0.hasFailed }
    let snapshots = try snapshots(planned, outside)
    let reader = MoveDetailsReader(group, readsSubjects: context.options.isDryRun)
    for (mailbox, plan) in zip(planned, Planner.plan(snapshots, policy: context.policy)) {
      mailbox.plan = plan
    }
    if context.options.isDryRun {
      try each(planned) { mailbox throws(SyncFailure) in try leaveOutImpossible(mailbox, group) }
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
    _ group: [OpenMailbox]
  ) throws(SyncFailure) {
    guard var plan = mailbox.plan else { return }
    let others = Dictionary(
      group.map { ($0.mailbox.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let push = UploadPush(context, store, mailbox, others)
    plan.limitUploads(to: try push.possible(plan.uploads))
    mailbox.plan = plan
  }

  private func snapshots(
    _ group: [OpenMailbox],
    _ outside: Surroundings
  ) throws(SyncFailure) -> [MailboxSnapshot] {
    try ReturnedFiles(context, group).note()
    let fileless = group.flatMap(\.fileless)
    let elsewhere = try outside.displaced(fileless)
    // Only now: a request is durable before its file goes.
    let requests = fileless.isEmpty ? [] : context.requests()
    let absent = OctetSet(fileless.map(\.name))
    var snapshots: [MailboxSnapshot] = []
    for mailbox in group {
      let facts = OutsideFacts(
        elsewhere: elsewhere?.names ?? [],
        inMirrored: elsewhere?.inMirrored ?? [],
        fromElsewhere: try outside.originals(of: mailbox.additions, mailbox.contents),
        survivors: try outside.survivors(deserted(mailbox, group), of: mailbox),
        requested: requested(mailbox, requests)
      )
      var snapshot = try Snapshots(context, ledger).snapshot(
        mailbox,
        moved: absent,
        outside: facts
      )
      if elsewhere == nil { snapshot.absence = .unproven }
      snapshots.append(snapshot)
    }
    return zip(withRestores(snapshots), group).map { snapshot, mailbox in
      var snapshot = snapshot
      if mailbox.isRematched, snapshot.absence == .proven { snapshot.absence = .restored }
      return snapshot
    }
  }

  /// The records of the mailbox whose messages are gone, and of which another one has a new file of that base name.
  private func deserted(_ mailbox: OpenMailbox, _ group: [OpenMailbox]) -> [BaseRecord] {
    let fileless = mailbox.fileless
    guard !fileless.isEmpty else { return [] }
    let remote = RemoteIndex(mailbox.remote.view)
    return fileless.filter { record in
      remote.isGone(record.uid)
        && group.contains {
          $0 !== mailbox && $0.local.files[record.name] != nil && !$0.state.isRecorded(record.name)
        }
    }
  }

  /// The messages without a file that requests may mean: any, where those cannot be read.
  private func requested(_ mailbox: OpenMailbox, _ requests: [MessageReference]?) -> Set<UInt32> {
    guard let requests else { return Set(mailbox.fileless.map(\.uid)) }
    guard !requests.isEmpty else { return [] }
    let header = mailbox.state.header
    let name = mailbox.mailbox.path.joined
    let found = mailbox.fileless.filter { record in
      requests.contains { $0.isOne(record, header, in: name) }
    }
    return Set(found.map(\.uid))
  }

  /// Who puts an older copy of one folder in place does so with others, of which it need not show.
  private func withRestores(_ snapshots: [MailboxSnapshot]) -> [MailboxSnapshot] {
    guard snapshots.contains(where: { $0.absence == .restored }) else { return snapshots }
    return snapshots.map { snapshot in
      var snapshot = snapshot
      if snapshot.absence == .proven { snapshot.absence = .restored }
      return snapshot
    }
  }

  // MARK: Execution

  private func execute(_ group: [OpenMailbox]) throws(SyncFailure) {
    let byID = Dictionary(
      group.map { ($0.mailbox.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let local = PlanExecutor(context, byID)
    let remote = PushExecutor(context, store, byID)
    try each(group) { mailbox throws(SyncFailure) in try local.prepare(mailbox) }
    try each(group) { mailbox throws(SyncFailure) in try local.recordFacts(mailbox) }
    try each(group) { mailbox throws(SyncFailure) in try local.renameFiles(mailbox) }
    if context.policy.pushes {
      try RescueCheck(context, store, group).run()
      let absence = try remote.absenceBeforeMoves(in: group)
      try each(group) { mailbox throws(SyncFailure) in try remote.push(mailbox, absence) }
    }
    try download(group)
    let removals = beginRemovals(group)
    defer { ledger.concludeRemovals(removals) }
    if context.policy.pushes {
      let absence = try remote.absenceBeforeRemovals(in: group)
      try each(group) { mailbox throws(SyncFailure) in try remote.remove(mailbox, absence) }
    }
    try each(group) { mailbox throws(SyncFailure) in try local.removeFiles(mailbox) }
    try each(group) { mailbox throws(SyncFailure) in try local.forget(mailbox) }
  }

  /// Has the removals judged once more, right before they are carried out; gives how many count from now on.
  private func beginRemovals(_ group: [OpenMailbox]) -> Int {
    var begun = 0
    for mailbox in group where context.countsDeletions(in: mailbox.mailbox) {
      guard let plan = mailbox.plan, !mailbox.hasFailed else { continue }
      let count = plan.removedFiles + plan.removedMessages
      if count == 0 || ledger.beginRemovals(count) {
        begun += count
      } else {
        mailbox.plan?.blockRemovals()
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
      for (index, result) in results.enumerated() { try note(result, of: wanted[index]) }
    } catch {
      for committer in committers { try committer.finish() }
      throw error
    }
    for (mailbox, committer) in zip(wanted, committers) {
      try each([mailbox]) { mailbox throws(SyncFailure) in
        try committer.finish()
        mailbox.add(committer.result)
      }
    }
  }

  private func note(_ result: FetchResult, of mailbox: OpenMailbox) throws(SyncFailure) {
    switch result {
    case .done(true): break
    case .done(false): mailbox.isComplete = false
    case .failed(let failure):
      guard !failure.endsConnection else { throw failure }
      report(failure, mailbox.mailbox)
      mailbox.hasFailed = true
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

  /// Does a step in every mailbox; one in which it fails is reported and left alone from then on.
  private func each(
    _ group: [OpenMailbox],
    _ step: (OpenMailbox) throws(SyncFailure) -> Void
  ) throws(SyncFailure) {
    for mailbox in group where !mailbox.hasFailed {
      do throws(SyncFailure) {
        try step(mailbox)
      } catch {
        guard !error.endsConnection else { throw error }
        report(error, mailbox.mailbox)
        mailbox.hasFailed = true
        try store.settle()
      }
    }
  }

  // MARK: End

  /// Closes the intents of uploads that did not arrive, once all is done that was planned for their files: the
  /// message may have been found in another mailbox.
  private func resolveMissingUploads(_ group: [OpenMailbox]) throws(SyncFailure) {
    guard group.allSatisfy({ $0.isComplete && !$0.hasFailed }) else { return }
    try each(group) { mailbox throws(SyncFailure) in
      try mailbox.record(mailbox.missingUploads.values.map { .resolved(number: $0) })
    }
  }

  private func finish(_ mailbox: OpenMailbox, in group: [OpenMailbox]) throws(SyncFailure) {
    guard let plan = mailbox.plan else { return }
    let concluded = concludedMoves(mailbox, group)
    let isComplete =
      mailbox.isComplete && !plan.isStoppedByGuard && !plan.isPostponed
      && mailbox.remote.missing == 0
      && mailbox.state.intents.count == concluded.count
    try mailbox.record(concluded + (isComplete ? reached(mailbox) : []))
    try noteVersions(mailbox)
    let journal = mailbox.journal
    try attempt { () throws(SystemError) in try journal.checkpoint() }
    mailbox.report.add(plan.blocked)
    reportReadOnly(mailbox, plan, group)
    if plan.isStoppedByGuard { reportMassDeletion(mailbox, plan) }
    var entry = Summary.Entry(
      header: mailbox.state.header,
      messages: mailbox.state.messages.count,
      isComplete: isComplete,
      fingerprints: mailbox.mayGrow ? nil : currentFingerprints(mailbox)
    )
    entry.blocked = BlockedDifferences(context, ledger).report(plan, of: mailbox.mailbox)
    // What is blocked waits for a person from the first run on.
    if plan.isStoppedByGuard { entry.unfinishedRuns = Summary.Entry.runLimit }
    add(mailbox, entry)
  }

  /// Writes down the keywords that file names cannot hold, for those who search.
  ///
  /// Before the checkpoint: a run that is stopped between the two is followed by one that does it again.
  private func noteKeywords(_ mailbox: OpenMailbox) throws(SyncFailure) {
    guard mailbox.plan != nil else { return }
    var keywords: [[UInt8]: [[UInt8]]] = [:]
    for message in mailbox.state.messages.values where !message.flags.keywords.isEmpty {
      keywords[message.name] = message.flags.keywords
    }
    let directory = mailbox.directory
    let changed = try attempt { () throws(SystemError) in
      try KeywordFile(keywords).write(in: directory)
    }
    let folder = mailbox.mailbox.directory
    mailbox.changes += changed.map { .marked(folder: folder, base: $0) }
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

  private func add(_ mailbox: OpenMailbox, _ entry: Summary.Entry) {
    ledger.add(
      mailbox.report,
      entry,
      deletions: context.countsDeletions(in: mailbox.mailbox)
        ? mailbox.report.removed + mailbox.report.deleted : 0
    )
    if !mailbox.changes.isEmpty { context.report(.changed(mailbox.changes)) }
    mailbox.changes = []
    context.report(.mailbox(mailbox.report))
  }

  /// The ledger hears of it as if it were done, so that the deletion guard judges the next mailbox as it will then.
  private func reportPlanned(_ mailbox: OpenMailbox) {
    guard let plan = mailbox.plan else { return }
    mailbox.report.add(planned: plan, isForArrivals: mailbox.mailbox.isForArrivals)
    mailbox.report.add(plan.blocked)
    if plan.isStoppedByGuard { reportMassDeletion(mailbox, plan) }
    _ = BlockedDifferences(context, ledger).report(plan, of: mailbox.mailbox)
    let report = mailbox.report
    let entry = Summary.Entry(
      header: mailbox.state.header,
      messages: mailbox.state.messages.count + report.fetched - report.removed,
      isComplete: false,
      fingerprints: nil
    )
    add(mailbox, entry)
  }

  private func report(_ failure: SyncFailure, _ mailbox: MirroredMailbox) {
    context.report(.problem(mailbox: mailbox.path.display, failure))
    if failure.isPostponedMailbox { ledger.markPostponed() } else { ledger.markPartial() }
  }

  private func reportMissing(_ mailbox: OpenMailbox) {
    let remote = mailbox.remote
    guard remote.missing > 0 else { return }
    let problem = MailboxProblem.listIncomplete(missing: remote.missing, of: Int(remote.exists))
    report(.mailbox(problem), mailbox.mailbox)
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
