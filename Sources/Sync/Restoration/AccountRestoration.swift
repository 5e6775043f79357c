package import Configuration
internal import IMAPStore
internal import MailModel
package import MailStore
internal import MailboxActions
package import Platform
internal import RestorePlan
internal import SyncPlan
internal import SyncState

/// Uploads a Maildir to the server of an account, each message once, and proves that all of it is there.
///
/// Nothing is removed or changed on the server, and nothing in the Maildir. The account is locked meanwhile, so that no sync
/// runs beside it.
package struct AccountRestoration {
  private let account: Account
  private let partial: PartialFiles
  private let source: MaildirSource
  private let isDryRun: Bool
  private let memory: Path
  /// Counts what is fetched together with the account's syncs; nil where the account does not limit it.
  private let meter: FetchMeter?
  private let server: any MailServer
  private let retryDelays: [Double]
  private let interruption: Interruption
  private let observer: (RestorationEvent) -> Void

  /// A restore to an account that has a server.
  ///
  /// - Parameters:
  ///   - source: the Maildir.
  ///   - account: the account.
  ///   - configured: all accounts there are: any of them may have made partial files.
  ///   - isDryRun: whether it only says what would be uploaded.
  ///   - stateHome: where Magnum remembers things about accounts, such as `~/.local/state`.
  ///   - server: the way to the server; nil is the one that the account names.
  ///   - retryDelays: seconds to wait before a connection that was lost is made anew, one for each attempt.
  ///   - interruption: ends all waiting.
  ///   - observer: takes what happens.
  package init(
    _ source: MaildirSource,
    to account: Account,
    of configured: [Account],
    isDryRun: Bool,
    stateHome: Path,
    server: (any MailServer)? = nil,
    retryDelays: [Double] = [5, 15, 45],
    interruption: Interruption,
    observer: @escaping (RestorationEvent) -> Void
  ) {
    self.source = source
    self.account = account
    // The Maildir may be a copy of an account's, with its state.
    partial = PartialFiles(configured, roots: [source.root])
    self.isDryRun = isDryRun
    self.retryDelays = retryDelays
    self.interruption = interruption
    self.observer = observer
    let memory = AccountPlaces.memory(of: account, in: stateHome)
    self.memory = memory
    let limit = isDryRun ? nil : account.sync.dailyLimit
    meter = limit.map { FetchMeter(memory: memory, limit: $0) }
    self.server =
      server
      ?? MailServers.server(
        of: account,
        memory: memory,
        isRemembering: !isDryRun,
        interruption: interruption
      ) { _ in }
  }

  /// Restores; what is uploaded when it ends early is found by the next run.
  package func restoreAccount() -> RestorationReport {
    var report = RestorationReport()
    report.skipped = source.skipped.count
    for entry in source.skipped { observer(.skipped(entry)) }
    do throws(SyncFailure) {
      let store = AccountPlaces(of: account).store
      let lock = isDryRun ? nil : try store.lockBesideSync()
      defer { lock?.release() }
      let origin = AccountOrigin(account, store: store).configured
      let journal = try RestoreJournal(memory, of: origin, isReadOnly: isDryRun)
      defer { journal.close() }
      try restoreMailboxes(journal, &report)
      if !isDryRun { server.served(isComplete: false) }
    } catch {
      report.failure = server.postponed(error)
    }
    return report
  }

  private func restoreMailboxes(
    _ journal: RestoreJournal,
    _ report: inout RestorationReport
  ) throws(SyncFailure) {
    var (store, listing) = try connect()
    defer { store.close() }
    if !isDryRun, let reason = server.reasonToPull { throw reason }
    var finding = MailboxFinding(
      store,
      listing,
      labels: account.sync.labels,
      isDryRun: isDryRun,
      observer: observer
    )
    for folder in source.folders { try finding.add(folder) }
    report.made = finding.made
    report.failed = finding.failed
    let roles = RoleFinder(listing.mailboxes, configured: account.roles)
    let drafts = roles.mailbox(for: .drafts)
    let folders = Dictionary(
      finding.targets.map { ($0.mailbox, $0.folders) },
      uniquingKeysWith: { $0 + $1 }
    )
    // What goes below a mailbox of its own is to be there as a whole.
    let moved =
      source.isBelowMailbox
      ? nil : MovedMessages(listing.mailboxes, roles, folders, partial, meter, interruption)
    for found in finding.targets {
      let job = Job(
        mailbox: found.mailbox,
        display: finding.display(found.mailbox),
        holdsDrafts: drafts?.name == found.mailbox,
        folders: found.folders,
        isThere: found.isThere
      )
      try restore(job, journal, moved, &store, &report)
    }
  }

  private func connect() throws(SyncFailure) -> (store: any MailStore, listing: ServerListing) {
    let rules = try attempt(account.namingRules())
    return try server.open(isWriting: !isDryRun, naming: rules)
  }

  /// A mailbox that something is restored to.
  private struct Job {
    let mailbox: MailboxName
    let display: String
    let holdsDrafts: Bool
    let folders: [SourceFolder]
    let isThere: Bool
  }

  /// Restores to one mailbox; where the connection is lost, again over a new one, and where the server broke the protocol over
  /// uploads, as long as they are sent otherwise then.
  private func restore(
    _ job: Job,
    _ journal: RestoreJournal,
    _ moved: MovedMessages?,
    _ store: inout any MailStore,
    _ report: inout RestorationReport
  ) throws(SyncFailure) {
    let progress = RestoreProgress()
    var target: RestoreTarget?
    var delays = ReconnectDelays(retryDelays)
    var attempt = progress.attempts.nextAttempt
    while true {
      do throws(SyncFailure) {
        return try work(on: job, journal, moved, progress, store, &target, &report)
      } catch {
        delays.noteLoss(after: progress.attempts)
        let isOther = progress.attempts.isOther(than: attempt)
        attempt = progress.attempts.nextAttempt
        let goesOn = error.isLostConnection || error.isProtocolViolation && isOther
        if goesOn, let delay = delays.next() {
          observer(.problem(mailbox: job.display, error))
          guard interruption.sleep(seconds: delay) else { throw .interrupted }
          store.close()
          store = try connect().store
          continue
        }
        guard !error.endsConnection, !error.endsRun else { throw error }
        observer(.problem(mailbox: job.display, error))
        report.failed += 1
        return try store.drainAnswers()
      }
    }
  }

  /// The mailbox is listed before the files are read, so that what that takes is free again by then; files are read once.
  private func work(
    on job: Job,
    _ journal: RestoreJournal,
    _ moved: MovedMessages?,
    _ progress: RestoreProgress,
    _ store: any MailStore,
    _ known: inout RestoreTarget?,
    _ report: inout RestorationReport
  ) throws(SyncFailure) {
    let listing = job.isThere ? try look(job, store, journal).list() : nil
    if known == nil {
      let target = try read(job, store.traits.sizeLimit, &report)
      if listing != nil { progress.recall(journal.mailbox.breaking, of: target.files) }
      known = target
    }
    guard let target = known else { return }
    let restoration = MailboxRestoration(
      store: store,
      target: target,
      journal: journal,
      progress: progress,
      moved: moved,
      meter: meter,
      interruption: interruption,
      observer: observer
    )
    let counts: RestorationReport.Counts
    if let listing, !isDryRun {
      counts = try restoration.restoreMailbox(listing)
    } else {
      counts = try restoration.plan(listing)
    }
    report.counts += counts
    report.skipped += progress.lost.count
    for index in progress.lost.sorted() {
      observer(.skipped(SkippedEntry(target.path(index), .changed)))
    }
    report.mailboxes += 1
    observer(.finished(mailbox: job.display, counts))
  }

  private func look(
    _ job: Job,
    _ store: any MailStore,
    _ journal: RestoreJournal
  ) -> MailboxLook {
    MailboxLook(store, job.mailbox, display: job.display, journal, meter, interruption) { _ in }
  }

  private func read(
    _ job: Job,
    _ sizeLimit: UInt64?,
    _ report: inout RestorationReport
  ) throws(SyncFailure) -> RestoreTarget {
    observer(.step("\(job.display): reading files"))
    var reading = FolderReading(
      job.display,
      sizeLimit: sizeLimit,
      labels: account.sync.labels,
      partial: partial,
      interruption,
      observer: observer
    )
    for (number, folder) in job.folders.enumerated() { try reading.read(folder, number) }
    report.skipped += reading.skipped
    report.counts.refused += reading.refused
    let unstorable = reading.unstorable
    let (files, places) = reading.finish()
    return RestoreTarget(
      mailbox: job.mailbox,
      display: job.display,
      holdsDrafts: job.holdsDrafts,
      folders: job.folders,
      files: files,
      places: places,
      unstorable: unstorable
    )
  }
}
