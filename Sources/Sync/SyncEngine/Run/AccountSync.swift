internal import Configuration
internal import Folders
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Platform
internal import SyncPlan
internal import SyncState

/// One run of one account, from lock to summary.
struct AccountSync {
  let context: AccountContext
  private let renewContext: () -> AccountContext
  private let connection: AccountServer
  private let memory: Path
  private let before: @Sendable (Account) -> Void
  private let postSync: PostSyncHook?
  /// Seconds to wait before a lost connection is tried again, after a first success.
  private let retryDelays: [Double]

  /// A run; `context` makes its context by what is known of the server then.
  init(
    _ context: @escaping () -> AccountContext,
    _ connection: AccountServer,
    memory: Path,
    before: @escaping @Sendable (Account) -> Void = { _ in },
    postSync: PostSyncHook? = nil,
    retryDelays: [Double] = []
  ) {
    self.retryDelays = retryDelays
    self.before = before
    self.postSync = postSync
    self.context = context()
    renewContext = context
    self.memory = memory
    self.connection = connection
  }

  /// A connection, and the server's mailboxes.
  typealias Session = (store: any MailStore, listing: ServerListing)

  private var server: any MailServer { connection.server }

  /// Syncs the account, and reports how it went; never throws, since one account's failure is not another's.
  func syncAccount() -> AccountReport {
    let start = Clock.monotonicNanoseconds()
    context.report(.started)
    connection.beginRun()
    before(context.account)
    var report = AccountReport(account: context.account.name)
    let couldPush = server.reasonToPull == nil
    do throws(SyncFailure) {
      do throws(SyncFailure) {
        try runLocked(&report)
      } catch {
        // Nothing was done yet: that nothing can be pushed shows while the connection is made.
        guard couldPush, server.reasonToPull != nil, case .labels = error else { throw error }
        try pulling.runLocked(&report)
      }
    } catch {
      report.outcome = .failed(server.postponed(error))
    }
    reportReasonToPull(&report, isNew: couldPush)
    let hook = dueHook(report)
    if !report.hasFailed || hook != nil { context.report(.mirrored(report)) }
    if let hook { runHook(hook, &report) }
    report.seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
    context.report(.finished(report))
    return report
  }

  /// The run that a server allows to which nothing can be pushed.
  private var pulling: AccountSync {
    AccountSync(renewContext, connection, memory: memory, retryDelays: retryDelays)
  }

  /// Not where no run of the account would push; `isNew` says that this run found it.
  private func reportReasonToPull(_ report: inout AccountReport, isNew: Bool) {
    guard context.account.sync.pushes, let reason = server.reasonToPull else { return }
    var isSaid = isNew
    if case .labels(.lost) = reason { isSaid = true }
    if isSaid {
      // That it was why the run failed is said of that.
      if report.hasFailed { return }
      report.markPartial()
    } else if report.total.blocked[.pullOnly] == nil {
      return
    }
    context.report(.problem(mailbox: nil, reason))
  }

  /// Also where the sync ended early: no later one tells of what it brought.
  private func dueHook(_ report: AccountReport) -> PostSyncHook? {
    guard context.account.sync.postSync != nil, !context.options.isDryRun, report.hasChangedFiles,
      !context.interruption.isRequested
    else { return nil }
    return postSync
  }

  /// Only now, so that the command may sync again; that it fails does not undo the sync.
  private func runHook(_ hook: PostSyncHook, _ report: inout AccountReport) {
    do throws(SyncFailure) {
      try hook(context.account, report)
    } catch {
      context.report(.problem(mailbox: nil, error))
      report.markPartial()
    }
  }

  // MARK: Steps

  /// The report says what was done also where it throws.
  private func runLocked(_ report: inout AccountReport) throws(SyncFailure) {
    try checkRefusal()
    let root = try AccountRoot(context, memory: memory)
    defer { root.release() }
    if context.isWriting { context.uploads.recall() }
    var (stored, prefetched): (Summary?, PrefetchedReading?) = (nil, nil)
    defer { prefetched?.end() }
    let (session, summary) = try open { () throws(SyncFailure) in
      stored = try context.store.loadSummaryForUpdate()
      let summary = try attempt(context.store.usable(stored, root: root.number, now: Clock.now()))
      let reading = PrefetchedReading(summary, context.mailboxes)
      prefetched = reading
      return (summary, ExpectedQuestions(context.mailboxes, summary, reading))
    }
    // Only now: a host or user that was never right must not be held against the right one.
    try root.rememberOrigin()
    let runState = RunState(AccountReport(account: context.account.name), summary)
    var failure = try mirror(session, prefetched, runState)
    if failure == nil, context.facts.hasPutOff { failure = lookAgain(runState) }
    report = runState.current.report
    report.isWhole = context.patterns.isEmpty
    report.isPullOnly = context.options.isPullOnly
    let isWhole = failure == nil && context.patterns.isEmpty
    runState.noteRecent(isWhole: isWhole && report.isComplete, context.facts)
    try noteDay(&report, runState.left, isWhole: isWhole)
    try save(runState.current.summary, over: stored)
    if let failure {
      report.outcome = .failed(server.postponed(failure))
    } else {
      server.served(isComplete: isWhole && report.isComplete && !context.options.isDryRun)
      if !context.options.isDryRun { try? LastSync(memory).recordSync() }
    }
  }

  /// Says and writes down what waits for another day; `isWhole` says that all mailboxes were looked at.
  private func noteDay(
    _ report: inout AccountReport,
    _ left: LeftMessages,
    isWhole: Bool
  ) throws(SyncFailure) {
    report.total.left = left
    guard let meter = context.mailboxes.meter else { return }
    try attempt { () throws(SystemError) in
      try meter.save()
      guard isWhole || left.messages > 0 else { return }
      try meter.noteLeft(messages: left.messages, octets: left.octets)
    }
    guard left.messages > 0 else { return }
    report.day = AccountReport.Day(
      limit: meter.limit,
      octets: meter.octets,
      end: meter.resumption
    )
  }

  /// Mirrors the mailboxes; gives what ended the connection early, nil when nothing did.
  private func mirror(
    _ session: Session,
    _ prefetched: PrefetchedReading?,
    _ runState: RunState
  ) throws(SyncFailure) -> SyncFailure? {
    var (store, listing) = session
    var summary = runState.current.summary
    do throws(SyncFailure) {
      try checkNames(listing, summary)
    } catch {
      store.close()
      throw error
    }
    let folders = try syncFolders(store, &listing, &summary)
    // Folders that could not be renamed are to be with the next run.
    if folders.isPlanned, folders.withheld.isEmpty, !context.options.isDryRun {
      summary.names = listing.names.recorded
    }
    summary.delimiter = listing.mailboxes.lazy.compactMap(\.delimiter).first ?? summary.delimiter
    // Where folders were renamed or given up, what was read is of before.
    if !folders.isComplete || summary.entries != runState.current.summary.entries {
      prefetched?.end()
    }
    context.facts.renamed(from: runState.current.summary.names(changedIn: summary))
    runState.replace(summary)
    findTrash(listing, runState)
    context.facts.found(
      listing,
      hasUnseen: folders.hasUnseen,
      leavesFolders: !folders.isComplete
    )
    context.facts.withhold(folders.withheld)
    context.facts.learn(store.traits)
    noteLabels(listing, store.traits)
    let selection = try MirroredMailboxes.choose(context.mailboxes, listing, summary)
    if !folders.isComplete { runState.markPartial() }
    if !folders.seesAll { runState.noteUnseen() }
    report(selection, runState)
    let present = selection.mailboxes.filter { hasFolder($0) }
    let isPresent = Set(present.map(\.name))
    runState.noteLeftOut(selection.mailboxes.filter { !isPresent.contains($0.name) })
    if let reason = nothingToMirror(listing, selection, present) {
      store.close()
      throw .nothingToMirror(reason)
    }
    let mailboxes = present.filter { $0.isAdmitted(by: folders) }
    runState.notePresent(mailboxes.map(\.id))
    let pool = ConnectionPool(context, server, runState)
    do throws(SyncFailure) {
      let open = try pool.syncMailboxes(mailboxes, on: store, prefetched, retryDelays: retryDelays)
      if folders.seesAll, !context.facts.hasPutOff {
        try concludeFolders(folders.deferred, open, listing, runState)
      }
      connection.putBack(open)
      return nil
    } catch {
      return error
    }
  }

  /// Says which mailboxes are no labels, where others are.
  private func noteLabels(_ listing: ServerListing, _ traits: StoreTraits) {
    guard traits.hasLabels else { return }
    let roles = RoleFinder(listing.mailboxes, configured: context.roles)
    let others = listing.mailboxes.filter { mailbox in
      switch roles.role(of: mailbox) {
      case .trash, .junk, .all, .important, .flagged: true
      case .inbox, .archive, .drafts, .sent, .snoozed, nil: mailbox.isView
      }
    }
    context.facts.noteOtherThanLabels(Set(others.map(\.name)))
  }

  /// Gives up the records of mailboxes that the server no longer has, once all mailboxes into which their files may have been
  /// moved were looked at; else a later run does.
  private func concludeFolders(
    _ steps: [FolderStep],
    _ store: any MailStore,
    _ listing: ServerListing,
    _ runState: RunState
  ) throws(SyncFailure) {
    guard !steps.isEmpty, context.patterns.isEmpty, runState.current.report.isComplete else {
      return
    }
    var summary = runState.current.summary
    do throws(SyncFailure) {
      if try !FolderSync(context.folders, store).finishSteps(steps, listing, &summary) {
        runState.markPartial()
      }
      runState.replace(summary)
    } catch {
      runState.replace(summary)
      guard !error.endsConnection else {
        store.close()
        throw error
      }
      context.report(.problem(mailbox: nil, error))
      runState.markPartial()
    }
  }

  /// Mirrors once more where mailboxes turned out to have another UIDVALIDITY than before: now it is known which were
  /// renamed.
  ///
  /// All of them take part, since what was moved between them waits for each other; those where nothing happened since
  /// cost nothing more than the list.
  private func lookAgain(_ runState: RunState) -> SyncFailure? {
    context.facts.endPuttingOff()
    do throws(SyncFailure) {
      let session = try open(remembering: runState.current.summary)
      return try mirror(session, nil, runState)
    } catch {
      return error
    }
  }

  /// Nothing is written where the run before left the same.
  private func save(_ summary: Summary, over stored: Summary?) throws(SyncFailure) {
    guard summary != stored, !context.options.isDryRun else { return }
    try attempt(context.store.save(summary))
  }

  func checkRefusal() throws(SyncFailure) {
    let isWatched = context.options.selections.contains {
      $0.account == context.account.name
    }
    guard !isWatched else { return }
    try server.checkStanding()
  }

  // MARK: Server

  /// A connection with the mailboxes listed, and the summary with what the server can do.
  ///
  /// What the last run left is read while the connection is being made: with `read`, which gives what will be asked most likely
  /// too, nil where that is not known.
  func open(
    reading read: () throws(SyncFailure) -> (Summary, ExpectedQuestions?)
  ) throws(SyncFailure) -> (session: Session, summary: Summary) {
    var summary = Summary(root: 0)
    let session = try connection.takeConnection(isWriting: context.isWriting) {
      [context, connection] () throws(SyncFailure) in
      let expected: ExpectedQuestions?
      (summary, expected) = try read()
      if let names = summary.names { context.facts.learn(names) }
      let naming = try attempt(context.account.namingRules(summary))
      return ServerExpectation(capabilities: summary.capabilities, naming: naming) {
        expected?.questions(
          about: connection.watched.name,
          takesNew: context.mailboxes.fetchesAll && !context.hasBroken
        ) ?? []
      }
    }
    context.facts.learn(session.listing.names)
    summary.capabilities = session.store.traits.words
    return (session, summary)
  }

  /// A connection with the mailboxes listed.
  private func open(remembering summary: Summary) throws(SyncFailure) -> Session {
    try open { () throws(SyncFailure) in (summary, nil) }.session
  }

  /// Lets what fails on the connection end the run, and everything else be said.
  private func syncFolders(
    _ store: any MailStore,
    _ listing: inout ServerListing,
    _ summary: inout Summary
  ) throws(SyncFailure) -> FolderSync.Outcome {
    let before = summary.entries
    do throws(SyncFailure) {
      let outcome = try FolderSync(context.folders, store).syncFolders(&listing, &summary)
      // Now, since a run that is killed later would have to find out again what was renamed.
      if summary.entries != before { try save(summary, over: nil) }
      return outcome
    } catch {
      guard !error.endsConnection else {
        store.close()
        throw error
      }
      context.report(.problem(mailbox: nil, error))
      return FolderSync.Outcome(isComplete: false, isPlanned: false)
    }
  }

  /// Why there is nothing to work on in a run of all mailboxes: that would be taken for success.
  func nothingToMirror(
    _ listing: ServerListing,
    _ selection: MirroredMailboxes,
    _ present: [MirroredMailbox]
  ) -> NothingToMirror? {
    guard present.isEmpty, context.patterns.isEmpty, selection.problems.isEmpty else { return nil }
    if !selection.mailboxes.isEmpty { return .noFolder }
    return listing.selectable.isEmpty ? .noMailbox : .excluded
  }

  /// Whether the mailbox has a folder, or gets one.
  func hasFolder(_ mailbox: MirroredMailbox) -> Bool {
    let settings = context.account.sync.settings(
      of: context.facts.names.forms(of: mailbox.path.joined)
    )
    if mailbox.entry != nil || settings.create.includesLocal { return true }
    if (try? FileSystem.status(context.path(of: mailbox))) ?? nil != nil { return true }
    context.report(
      .step("\(mailbox.path.display): left out: no local folder, and create does not allow one")
    )
    return false
  }
}
