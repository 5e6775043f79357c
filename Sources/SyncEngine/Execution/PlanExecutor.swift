internal import IMAP
internal import Maildir
internal import Platform
internal import SyncPlan

/// Carries out the plan of one mailbox, in its order, and records each step once it is durable.
///
/// The only place that changes a Maildir. It never decides: a step whose file is no longer as the plan saw
/// it is left out, and the next run plans anew.
struct PlanExecutor {
  /// What came of a plan.
  struct Outcome {
    var report: MailboxReport
    /// Whether the server need not tell the same again.
    var isComplete = true
  }

  private let context: AccountContext
  private let mailbox: MirroredMailbox
  private let journal: Journal
  private let local: LocalMailbox
  private let connection: Connection
  private let directory: Path
  private var outcome: Outcome

  init(
    _ context: AccountContext,
    _ mailbox: MirroredMailbox,
    _ journal: Journal,
    _ local: LocalMailbox,
    _ connection: Connection
  ) {
    self.context = context
    self.mailbox = mailbox
    self.journal = journal
    self.local = local
    self.connection = connection
    directory = context.path(of: mailbox)
    outcome = Outcome(report: MailboxReport(mailbox: mailbox.path.display))
  }

  /// Runs the plan; what was done is durable when it returns, and when it throws.
  mutating func execute(_ plan: MailboxPlan) throws(SyncFailure) -> Outcome {
    try recordFacts(plan.actions)
    try renameFiles(plan.actions)
    try download(plan.actions)
    try removeFiles(plan.actions)
    try forget(plan.actions)
    return outcome
  }

  // MARK: Records only

  private mutating func recordFacts(_ actions: [Action]) throws(SyncFailure) {
    var records: [StateRecord] = []
    for action in actions {
      switch action.kind {
      case .bind(let name, let uid, let agreed, let size, let date):
        let known = journal.state.messages[uid]
        records.append(
          .message(
            BaseRecord(
              uid: uid,
              name: name,
              flags: agreed,
              size: size,
              date: date,
              identity: known?.identity
            )
          )
        )
        outcome.report.bound += 1
      case .agree(let uid, let flags): records.append(.flags(uid: uid, flags))
      case .orphan(let name, let uid):
        if let uid { records.append(.gone(uid: uid)) }
        records.append(.orphan(name: name))
        outcome.report.orphaned += 1
      default: break
      }
    }
    try record(records)
  }

  private mutating func forget(_ actions: [Action]) throws(SyncFailure) {
    let uids = actions.compactMap { if case .forget(let uid) = $0.kind { uid } else { nil } }
    try record(uids.map { .gone(uid: $0) })
  }

  private func record(_ records: [StateRecord]) throws(SyncFailure) {
    try attempt { () throws(SystemError) in try journal.record(records) }
  }

  // MARK: Flags

  private mutating func renameFiles(_ actions: [Action]) throws(SyncFailure) {
    var records: [StateRecord] = []
    for case .setLocalFlags(let name, let uid, let flags, let agreed) in actions.map(\.kind) {
      try checkInterruption(records)
      guard try rename(name, to: flags) else { continue }
      records.append(.flags(uid: uid, agreed))
      outcome.report.flags += 1
    }
    try settle(records)
  }

  /// Whether the file now shows the flags; false when somebody else was faster.
  private mutating func rename(
    _ name: [UInt8],
    to flags: SystemFlags
  ) throws(SyncFailure) -> Bool {
    guard let file = local.files[name] else { return skip() }
    let target = Subdirectory.cur.path(in: directory).appending(
      file.name.with(flags: FlagTranslation.letters(flags)).octets
    )
    let source = file.path(in: directory)
    guard source != target else { return true }
    do throws(SystemError) {
      try FileSystem.renameWithoutReplacing(source, to: target)
      return true
    } catch {
      guard error.isNotFound || error.isAlreadyThere else { throw .system(error) }
      return skip()
    }
  }

  /// The next run sees what became of the file.
  private mutating func skip() -> Bool {
    outcome.isComplete = false
    return false
  }

  // MARK: Deletions

  private mutating func removeFiles(_ actions: [Action]) throws(SyncFailure) {
    var records: [StateRecord] = []
    for case .removeLocal(let name, let uid) in actions.map(\.kind) {
      try checkInterruption(records)
      guard let file = local.files[name], try remove(file) else {
        _ = skip()
        continue
      }
      records.append(.gone(uid: uid))
      outcome.report.removed += 1
    }
    guard !records.isEmpty else { return }
    // What the user let through is no sign of an accident.
    if context.allowsMassDeletion(in: mailbox) { return try settle(records) }
    let hour = Clock.now() / 3600
    let before = journal.state.deletions[hour] ?? 0
    try settle(records + [.deletions(hour: hour, count: before + records.count)])
  }

  private func remove(_ file: ScannedFile) throws(SyncFailure) -> Bool {
    do throws(SystemError) {
      try FileSystem.remove(file.path(in: directory))
      return true
    } catch {
      guard error.isNotFound else { throw .system(error) }
      return false
    }
  }

  /// Makes renames and removals durable, then records them.
  private func settle(_ records: [StateRecord]) throws(SyncFailure) {
    guard !records.isEmpty else { return }
    try attempt { () throws(SystemError) in
      try FileSystem.synchroniseDirectory(Subdirectory.new.path(in: directory))
      try FileSystem.synchroniseDirectory(Subdirectory.cur.path(in: directory))
    }
    try record(records)
  }

  private func checkInterruption(_ records: [StateRecord]) throws(SyncFailure) {
    guard context.interruption.isRequested else { return }
    try settle(records)
    throw .interrupted
  }

  // MARK: Messages

  private mutating func download(_ actions: [Action]) throws(SyncFailure) {
    let messages = actions.compactMap {
      if case .download(let message) = $0.kind { message } else { nil }
    }
    guard !messages.isEmpty else { return }
    var downloader = Downloader(context, mailbox, journal, connection)
    let result = try downloader.run(messages)
    outcome.report.new += result.messages
    outcome.report.octets += result.octets
    outcome.report.failed += result.failed
    if !result.isComplete { outcome.isComplete = false }
  }
}
