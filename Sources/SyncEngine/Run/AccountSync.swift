internal import Configuration
internal import Folders
internal import Login
internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import Octets
internal import Platform
internal import SyncEvents
internal import SyncPlan
internal import SyncState
internal import Transport

/// One run of one account, from lock to summary.
struct AccountSync {
  private let context: AccountContext
  private let line: ServerLine
  private let memory: Path
  private let before: @Sendable (Account) -> Void
  /// Nil where `post-sync` is not run.
  private let news: NewsMaker?
  /// Seconds to wait before a lost connection is tried again, after a first success.
  private let retryDelays: [Double]

  init(
    _ context: AccountContext,
    _ line: ServerLine,
    memory: Path,
    before: @escaping @Sendable (Account) -> Void = { _ in },
    news: NewsMaker? = nil,
    retryDelays: [Double] = []
  ) {
    self.retryDelays = retryDelays
    self.before = before
    self.news = news
    self.context = context
    self.memory = memory
    self.line = line
  }

  private var server: any MailServer { line.server }

  /// Runs, and says how it went; never throws, since one account's failure is not another's.
  func run() -> AccountReport {
    let start = Clock.monotonicNanoseconds()
    context.report(.started)
    before(context.account)
    var report = AccountReport(account: context.account.name)
    do throws(SyncFailure) {
      try runLocked(&report)
    } catch {
      report.outcome = .failed(server.postponed(error))
    }
    if !report.hasFailed || isHookDue(report) { context.report(.mirrored(report)) }
    if isHookDue(report) { runHook(&report) }
    report.seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
    context.report(.finished(report))
    return report
  }

  /// The server and its mailboxes; changes nothing here or there.
  func probe() throws(SyncFailure) -> ServerFacts {
    try checkRefusal()
    var summary = Summary(root: 0)
    let (store, listing) = try open(&summary)
    defer { store.close() }
    let mirrored = Set(MirroredMailboxes(context.mailboxes, listing, summary).mailboxes.map(\.name))
    let finder = RoleFinder(listing.mailboxes, configured: context.roles)
    let mailboxes = listing.mailboxes.map { mailbox in
      ListedMailbox(
        name: mailbox.path.joined,
        role: finder.role(of: mailbox),
        isSelectable: mailbox.isSelectable,
        isMirrored: mirrored.contains(mailbox.name),
        messages: mailbox.status?.messages
      )
    }
    return ServerFacts(
      capabilities: store.traits.words,
      isEncrypted: store.traits.isEncrypted,
      mailboxes: mailboxes,
      unknownNames: NameCheck(listing.mailboxes).unknown(
        include: context.account.sync.include,
        exclude: context.account.sync.exclude,
        roles: context.roles
      )
    )
  }

  /// The mailboxes, to be looked at over the connection that is returned with them.
  func read() throws(SyncFailure) -> AccountReading {
    try checkRefusal()
    var summary = try attempt { () throws(SystemError) in
      try complete(try context.store.loadSummary() ?? Summary(root: 0))
    }
    let (store, listing) = try open(&summary)
    try checkNames(listing, summary)
    context.facts.learn(store.traits)
    let mailboxes = MirroredMailboxes(context.mailboxes, listing, summary).mailboxes
    let known = Set(listing.mailboxes.map(\.name.wire))
    return AccountReading(
      context: context.mailboxes,
      store: store,
      mailboxes: mailboxes,
      others: listing.selectable.count - mailboxes.count,
      gone: summary.entries.values.map(\.header).filter { !known.contains($0.mailbox) }
    )
  }

  /// Also where the sync ended early: no later one tells of what it brought.
  private func isHookDue(_ report: AccountReport) -> Bool {
    context.account.sync.postSync != nil && news != nil && !context.options.isDryRun
      && PostSync.isDue(report) && !context.interruption.isRequested
  }

  /// Only now, so that the command may sync again; that it fails does not undo the sync.
  private func runHook(_ report: inout AccountReport) {
    guard let command = context.account.sync.postSync, let news else { return }
    do throws(SyncFailure) {
      try PostSync(command, context.interruption)
        .run(report, news(context.account, report.total.arrivals))
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
    let stored = try context.store.loadSummaryForUpdate()
    var summary = try attempt { () throws(SystemError) in try usable(stored, root.number) }
    let session = try open(&summary)
    // Only now: a host or user that was never right must not be held against the right one.
    try root.rememberOrigin()
    let ledger = RunLedger(AccountReport(account: context.account.name), summary)
    var failure = try mirror(session, ledger)
    if failure == nil, context.facts.hasPutOff { failure = lookAgain(ledger) }
    report = ledger.current.report
    try save(ledger.current.summary, over: stored)
    if let failure {
      report.outcome = .failed(server.postponed(failure))
    } else {
      server.served()
      if !context.options.isDryRun { try? LastSync(memory).note() }
    }
  }

  /// Mirrors the mailboxes; gives what ended the connection early, nil when nothing did.
  private func mirror(
    _ session: (store: any MailStore, listing: ServerListing),
    _ ledger: RunLedger
  ) throws(SyncFailure) -> SyncFailure? {
    var (store, listing) = session
    var summary = ledger.current.summary
    do throws(SyncFailure) {
      try checkNames(listing, summary)
    } catch {
      store.close()
      throw error
    }
    let folders = try syncFolders(store, &listing, &summary)
    ledger.replace(summary)
    findTrash(listing, ledger)
    context.facts.found(listing, hasUnseen: folders.hasUnseen)
    context.facts.withhold(folders.withheld)
    context.facts.learn(store.traits)
    let selection = try MirroredMailboxes.choose(context.mailboxes, listing, summary)
    if !folders.isComplete { ledger.markPartial() }
    report(selection, ledger)
    let mailboxes = selection.mailboxes.filter { $0.isAdmitted(by: folders) && hasFolder($0) }
    let pool = ConnectionPool(context, server, ledger)
    do throws(SyncFailure) {
      line.putBack(try pool.run(mailboxes, on: store, retryDelays: retryDelays))
      return nil
    } catch {
      return error
    }
  }

  /// Mirrors once more where mailboxes turned out to have another UIDVALIDITY than before: now it is known which were
  /// renamed.
  ///
  /// All of them take part, since what was moved between them waits for each other; those where nothing happened since
  /// cost nothing more than the list.
  private func lookAgain(_ ledger: RunLedger) -> SyncFailure? {
    context.facts.endPuttingOff()
    var summary = ledger.current.summary
    do throws(SyncFailure) {
      let session = try open(&summary)
      return try mirror(session, ledger)
    } catch {
      return error
    }
  }

  /// Nothing is written where the run before left the same.
  private func save(_ summary: Summary, over stored: Summary?) throws(SyncFailure) {
    guard summary != stored, !context.options.isDryRun else { return }
    try attempt { () throws(SystemError) in try context.store.save(summary) }
  }

  private func checkRefusal() throws(SyncFailure) {
    let isWatched = context.options.selections.contains {
      $0.account == context.account.name
    }
    guard !isWatched else { return }
    try server.checkStanding()
  }

  /// The last run's summary, or one made of the maps' headers where it is lost.
  private func usable(_ stored: Summary?, _ root: UInt64) throws(SystemError) -> Summary {
    if var summary = stored, summary.root == root {
      let yesterday = Clock.now() / 3600 - 24
      summary.deletions = summary.deletions.filter { $0.key > yesterday }
      return try complete(summary)
    }
    return try complete(Summary(root: root))
  }

  /// The summary with the mailboxes whose maps it lacks: those of a run that was killed before it wrote its summary.
  ///
  /// What it says of mailboxes whose maps are lost does not count: they are matched anew now, not when something
  /// happened there, of which nothing could tell any more what it was.
  private func complete(_ stored: Summary) throws(SystemError) -> Summary {
    var summary = stored
    let recorded = try context.store.recorded()
    for (name, entry) in stored.entries where !recorded.contains(entry.header.id) {
      summary.entries[name]?.unfinishedRuns = max(1, entry.unfinishedRuns)
    }
    let missing = recorded.subtracting(stored.entries.values.map(\.header.id))
    for id in missing.sorted() {
      guard let header = try context.store.header(of: id) else { continue }
      // Of two maps for one name the summary knows the right one.
      if let other = summary.entries[header.mailbox], recorded.contains(other.header.id) {
        continue
      }
      summary.entries[header.mailbox] = Summary.Entry(
        header: header,
        messages: 0,
        isComplete: false,
        fingerprints: nil
      )
    }
    return summary
  }

  // MARK: Server

  private func open(
    _ summary: inout Summary
  ) throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    let (store, listing) = try line.take(
      remembering: summary.capabilities,
      isWriting: context.isWriting,
      expecting: line.watched.isNews ? question(about: line.watched.name, summary) : nil
    )
    summary.capabilities = store.traits.words
    return (store, listing)
  }

  /// What will be asked about a mailbox in which something happened, if all in it was seen before; nil where not.
  private func question(about name: MailboxName, _ summary: Summary) -> MailboxQuestion? {
    guard let entry = summary.entries[name.wire], entry.isComplete, !context.options.isScanning,
      entry.header.window == context.mailboxes.window
    else { return nil }
    return MailboxQuestion(name, since: entry.header.token)
  }

  /// Lets what fails on the connection end the run, and everything else be said.
  private func syncFolders(
    _ store: any MailStore,
    _ listing: inout ServerListing,
    _ summary: inout Summary
  ) throws(SyncFailure) -> FolderSync.Outcome {
    let before = summary.entries
    do throws(SyncFailure) {
      let outcome = try FolderSync(context.folders, store).run(&listing, &summary)
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

  /// Whether the mailbox has a folder, or gets one.
  private func hasFolder(_ mailbox: MirroredMailbox) -> Bool {
    if mailbox.entry != nil || context.account.sync.create.includesLocal { return true }
    if (try? FileSystem.status(context.path(of: mailbox))) ?? nil != nil { return true }
    context.report(.step("\(mailbox.path.display): has no folder, and create does not allow one"))
    return false
  }

  /// Refuses names of the command line that fit nothing: whoever named them would take silence for success.
  private func checkNames(
    _ listing: ServerListing,
    _ summary: Summary
  ) throws(SyncFailure) {
    let allowed = context.options.massDeletionAllowed.filter { $0.account == context.account.name }
    if let unknown = try unknown(context.patterns, listing, summary) { throw .unknownName(unknown) }
    // No more than a warning: where the run before was cut short, the mailbox may be gone already.
    for pattern in allowed.flatMap(\.patterns) {
      guard let unknown = try unknown([pattern], listing, summary) else { continue }
      context.report(.problem(mailbox: nil, .unknownName(unknown)))
    }
  }

  private func unknown(
    _ patterns: [MailboxPattern],
    _ listing: ServerListing,
    _ summary: Summary
  ) throws(SyncFailure) -> UnknownName? {
    guard !patterns.isEmpty else { return nil }
    return try NameCheck(listing.mailboxes).unknown(
      patterns,
      others: { () throws(SyncFailure) in try namesHere(summary) },
      isMirrored: { context.account.sync.selects($0) }
    )
  }

  /// The names of the mailboxes on record, and of all folders.
  private func namesHere(_ summary: Summary) throws(SyncFailure) -> [[UInt8]] {
    let folders = try attempt { () throws(SystemError) in try context.tree.maildirs().maildirs }
    let recorded = summary.entries.values.map(\.header.directory)
    return (folders + recorded).map { context.tree.naming.name(of: $0) }
  }

  private func findTrash(_ listing: ServerListing, _ ledger: RunLedger) {
    let finder = RoleFinder(listing.mailboxes, configured: context.roles)
    if let mailbox = finder.mailbox(for: .trash) {
      return context.trash.found(mailbox.name)
    }
    let wanted = context.roles[.trash] ?? Array("Trash".utf8)
    // A second Trash beside the server's own is what nobody wants.
    if let unknown = NameCheck(listing.mailboxes).unknown(.trash, wanted),
      case .marked = unknown.remedy, context.account.sync.localDeletion == .trash, context.isWriting
    {
      context.report(.problem(mailbox: nil, .mailbox(.otherTrash(unknown))))
      ledger.markPartial()
      return
    }
    context.trash.couldMake(MailboxNaming(listing.mailboxes).names(for: wanted))
  }

  private func report(_ selection: MirroredMailboxes, _ ledger: RunLedger) {
    for (mailbox, problem) in selection.problems {
      context.report(.problem(mailbox: mailbox, .mailbox(problem)))
      ledger.markPartial()
    }
  }
}
