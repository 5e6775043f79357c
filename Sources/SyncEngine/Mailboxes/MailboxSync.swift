internal import IMAP
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan

/// Mirrors one mailbox: reads both sides and the base, has it planned, has the plan carried out.
struct MailboxSync {
  private let context: AccountContext
  private let ledger: RunLedger
  private let mailbox: MirroredMailbox
  private let directory: Path

  init(_ context: AccountContext, _ ledger: RunLedger, _ mailbox: MirroredMailbox) {
    self.context = context
    self.ledger = ledger
    self.mailbox = mailbox
    directory = context.path(of: mailbox)
  }

  // MARK: Without the server

  /// Settles a mailbox in which the server saw nothing happen; false when it takes a connection after all.
  func runWithoutServer() -> Bool {
    guard let entry = mailbox.entry else { return false }
    if let stamps = entry.stamps, stamps == MaildirStamps(of: directory) {
      return true
    }
    return (try? settleLocally(entry)) ?? false
  }

  private func settleLocally(_ entry: Summary.Entry) throws(SyncFailure) -> Bool {
    let base = try openBase()
    guard let journal = base.journal, !base.isDirectoryMissing,
      !base.local.hasUnrecorded(journal.state)
    else { return false }
    let plan = Planner.plan(
      snapshot(journal.state, base.local, .unchanged),
      policy: context.policy
    )
    guard plan.actions.isEmpty else { return false }
    if !plan.held.isEmpty { context.report(.planned(mailbox: mailbox.path.display, plan)) }
    var report = MailboxReport(mailbox: mailbox.path.display)
    report.add(plan.held)
    conclude(report, journal.state, base.local.stamps(matching: journal.state), isComplete: true)
    return true
  }

  // MARK: With the server

  /// Mirrors the mailbox over a connection.
  ///
  /// - Throws: `SyncFailure`: of the connection, or about the mailbox, which was then left as it is. What
  ///   was done before is durable.
  func run(on connection: Connection, quickResync: Bool) throws(SyncFailure) {
    context.report(.state(.headers))
    let base = try openBase()
    var reader = RemoteReader(connection, mailbox.name, quickResync: quickResync)
    var remote = try reader.read(known: known(base), since: context.fetchSince)
    let journal = try judge(base, remote)
    if let old = base.journal, journal !== old {
      // What was read so far is told in terms of the old UIDs.
      reader = RemoteReader(connection, mailbox.name, quickResync: quickResync)
      remote = try reader.read(known: nil, since: context.fetchSince)
      guard remote.validity == journal.state.header.validity else {
        throw .mailbox(.noValidity)
      }
    }
    reportMissing(remote)
    let plan = Planner.plan(
      snapshot(journal.state, base.local, remote.view),
      policy: context.policy
    )
    context.report(.planned(mailbox: mailbox.path.display, plan))
    guard !context.options.isDryRun else { return reportPlanned(plan, journal.state) }
    try prepare(journal)
    var executor = PlanExecutor(context, mailbox, journal, base.local, connection)
    let outcome = try executor.execute(plan)
    try finish(outcome, plan, journal, remote)
  }

  private func finish(
    _ outcome: PlanExecutor.Outcome,
    _ plan: MailboxPlan,
    _ journal: Journal,
    _ remote: RemoteMailbox
  ) throws(SyncFailure) {
    let isComplete = outcome.isComplete && !plan.isBraked && remote.missing == 0
    if isComplete { try reach(remote, journal) }
    try attempt { () throws(SystemError) in try journal.checkpoint() }
    var report = outcome.report
    report.add(plan.held)
    if plan.isBraked { reportBrake(plan, journal.state) }
    conclude(report, journal.state, currentStamps(journal.state), isComplete: isComplete)
  }

  /// Moves the mark up to which the server's changes are here.
  private func reach(_ remote: RemoteMailbox, _ journal: Journal) throws(SyncFailure) {
    let header = journal.state.header
    var records: [StateRecord] = []
    if header.uidNext != remote.uidNext || header.modSequence != remote.modSequence {
      records.append(.reached(uidNext: remote.uidNext, modSequence: remote.modSequence))
    }
    if header.window != context.window { records.append(.window(context.window)) }
    try attempt { () throws(SystemError) in try journal.record(records) }
  }

  // MARK: The base

  /// What is here: the journal, nil where the mailbox was never mirrored, and the files.
  private struct Base {
    var journal: Journal?
    var local: LocalMailbox
    /// Whether there is a journal and no directory.
    var isDirectoryMissing = false
  }

  private func openBase() throws(SyncFailure) -> Base {
    let isForeign = try attempt { () throws(SystemError) in try isTaken() }
    guard !isForeign else { throw .mailbox(.directoryTaken(directory)) }
    let isThere = try attempt { () throws(SystemError) in try isMaildirThere() }
    switch try attempt({ () throws(SystemError) in try context.store.open(mailbox.id) }) {
    case .present(let journal):
      let local = isThere ? try scan(journal.state.header) : LocalMailbox()
      return Base(journal: journal, local: local, isDirectoryMissing: !isThere)
    case .absent:
      let local = isThere ? try scan(nil) : LocalMailbox()
      guard local.files.isEmpty else {
        throw .mailbox(.unknownContents(directory, messages: local.files.count))
      }
      return Base(journal: nil, local: local)
    case .untrusted(let file, let error):
      let local = isThere ? try scan(nil) : LocalMailbox()
      guard local.files.isEmpty else {
        throw .mailbox(.untrustedState(file, line: error.line, reason: error.problem.reason))
      }
      return Base(journal: nil, local: local)
    }
  }

  /// Whether the directory belongs to another mailbox of the account; a mark without a map is a leftover.
  private func isTaken() throws(SystemError) -> Bool {
    guard let owner = try MailboxMark(directory).owner(), owner != mailbox.id else { return false }
    return try FileSystem.status(context.store.file(owner, "map")) != nil
  }

  private func isMaildirThere() throws(SystemError) -> Bool {
    for name in ["cur", "new"] where try FileSystem.status(directory.appending(name)) == nil {
      return false
    }
    return true
  }

  private func scan(_ header: MailboxHeader?) throws(SyncFailure) -> LocalMailbox {
    try attempt { () throws(SystemError) in try LocalMailbox(directory, header: header) }
  }

  /// What the last run knew; its modification sequence counts only if nothing has to be looked at anew.
  private func known(_ base: Base) -> RemoteReader.Known? {
    guard let state = base.journal?.state else { return nil }
    let isAnew =
      state.header.window != context.window || base.local.hasUnrecorded(state)
    return RemoteReader.Known(
      validity: state.header.validity,
      uidNext: state.header.uidNext,
      modSequence: isAnew ? 0 : state.header.modSequence,
      uids: state.messages.keys.sorted()
    )
  }

  /// The journal to go on with, after a look at whether the server still speaks of the same mailbox.
  private func judge(_ base: Base, _ remote: RemoteMailbox) throws(SyncFailure) -> Journal {
    guard remote.validity > 0 else { throw .mailbox(.noValidity) }
    guard let journal = base.journal else {
      return Journal(new: newHeader(remote), store: context.store)
    }
    guard let problem = problem(journal.state.header, remote) else {
      if base.isDirectoryMissing { throw .mailbox(directoryMissing) }
      return journal
    }
    // Nothing is here that the old UIDs could mean.
    guard base.local.files.isEmpty else { throw .mailbox(problem) }
    return Journal(new: newHeader(remote), replacing: journal)
  }

  private var directoryMissing: MailboxProblem {
    .directoryMissing(directory, map: context.store.file(mailbox.id, "map"))
  }

  /// What shows that the server's UIDs no longer mean what they meant; nil when they do.
  private func problem(_ header: MailboxHeader, _ remote: RemoteMailbox) -> MailboxProblem? {
    if remote.validity != header.validity {
      return .validityChanged(directory, from: header.validity, to: remote.validity)
    }
    let wentBackwards =
      remote.uidNext > 0 && remote.uidNext < header.uidNext
      || remote.modSequence > 0 && remote.modSequence < header.modSequence
    return wentBackwards ? .wentBackwards(directory) : nil
  }

  private func newHeader(_ remote: RemoteMailbox) -> MailboxHeader {
    MailboxHeader(
      mailbox: mailbox.name.wire,
      directory: mailbox.directory,
      id: mailbox.id,
      validity: remote.validity,
      window: context.window
    )
  }

  /// Directory, mark and map of a mailbox that was never mirrored, in this order.
  private func prepare(_ journal: Journal) throws(SyncFailure) {
    try attempt { () throws(SystemError) in
      if !(try isMaildirThere()) { try context.tree.create(mailbox.directory) }
      try MaildirCommit.removeLeftovers(in: directory, mailbox: mailbox.id)
      try MailboxMark(directory).set(mailbox.id)
      try journal.begin()
    }
  }

  // MARK: Plan and report

  private func snapshot(
    _ state: MailboxState,
    _ local: LocalMailbox,
    _ remote: RemoteView
  ) -> MailboxSnapshot {
    MailboxSnapshot(
      mailbox: mailbox.id,
      role: mailbox.role,
      base: state.messages.values.sorted { $0.uid < $1.uid },
      orphans: state.orphans,
      local: local.planned(beside: state),
      absenceIsProven: local.isSettled,
      remote: remote,
      fetchSince: context.fetchSince.map { $0 - 86400 },
      brake: ledger.brake(
        recentInMailbox: state.recentDeletions(now: Clock.now()),
        isReleased: context.allowsMassDeletion(in: mailbox)
      )
    )
  }

  /// The stamps after the run; a directory that was changed just now need not be scanned to know none.
  private func currentStamps(_ state: MailboxState) -> MaildirStamps? {
    guard MaildirStamps(of: directory)?.areReliable ?? false else { return nil }
    let local = try? LocalMailbox(directory, header: state.header)
    return local?.stamps(matching: state)
  }

  private func conclude(
    _ report: MailboxReport,
    _ state: MailboxState,
    _ stamps: MaildirStamps?,
    isComplete: Bool
  ) {
    let entry = Summary.Entry(
      header: state.header,
      messages: state.messages.count,
      isComplete: isComplete,
      stamps: stamps
    )
    add(report, entry)
  }

  /// What the user let through is nothing for the brake to remember.
  private func add(_ report: MailboxReport, _ entry: Summary.Entry) {
    let isReleased = context.allowsMassDeletion(in: mailbox)
    ledger.add(report, entry, deletions: isReleased ? 0 : report.removed)
    context.report(.mailbox(report))
  }

  /// The ledger hears of it as if it were done, so that the brake judges the next mailbox as it will then.
  private func reportPlanned(_ plan: MailboxPlan, _ state: MailboxState) {
    var report = MailboxReport(mailbox: mailbox.path.display)
    report.add(planned: plan)
    report.add(plan.held)
    if plan.isBraked { reportBrake(plan, state) }
    let entry = Summary.Entry(
      header: state.header,
      messages: state.messages.count + report.new + report.bound - report.removed,
      isComplete: false,
      stamps: nil
    )
    add(report, entry)
  }

  private func reportMissing(_ remote: RemoteMailbox) {
    guard remote.missing > 0 else { return }
    let problem = MailboxProblem.listIncomplete(missing: remote.missing, of: Int(remote.exists))
    context.report(.problem(mailbox: mailbox.path.display, .mailbox(problem)))
    ledger.markPartial()
  }

  private func reportBrake(_ plan: MailboxPlan, _ state: MailboxState) {
    let count = plan.held.filter { $0.cause == .massDeletion }.count
    let problem = MailboxProblem.massDeletion(count: count, of: state.messages.count)
    context.report(.problem(mailbox: mailbox.path.display, .mailbox(problem)))
  }
}
