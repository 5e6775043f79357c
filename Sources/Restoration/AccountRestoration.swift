package import Configuration
internal import IMAPStore
internal import MailModel
package import MailStore
internal import MailboxActions
package import Platform
internal import SyncPlan
internal import SyncState

/// Uploads a Maildir to the server of an account, each message once, and proves that all of it is there.
///
/// Nothing is removed or changed on the server, and nothing in the Maildir. The account is locked meanwhile, so that no sync
/// runs beside it.
package struct AccountRestoration {
  private let account: Account
  private let source: MaildirSource
  private let isDryRun: Bool
  private let memory: Path
  private let server: any MailServer
  private let retryDelays: [Double]
  private let interruption: Interruption
  private let observer: (RestorationEvent) -> Void

  /// A restore to an account that has a server.
  ///
  /// - Parameters:
  ///   - source: the Maildir.
  ///   - account: the account.
  ///   - isDryRun: whether it only says what would be uploaded.
  ///   - stateHome: where Magnum remembers things about accounts, such as `~/.local/state`.
  ///   - server: the way to the server; nil is the one that the account names.
  ///   - retryDelays: seconds to wait before a connection that was lost is made anew, one for each attempt.
  ///   - interruption: ends all waiting.
  ///   - observer: takes what happens.
  package init(
    _ source: MaildirSource,
    to account: Account,
    isDryRun: Bool,
    stateHome: Path,
    server: (any MailServer)? = nil,
    retryDelays: [Double] = [5, 15, 45],
    interruption: Interruption,
    observer: @escaping (RestorationEvent) -> Void
  ) {
    self.source = source
    self.account = account
    self.isDryRun = isDryRun
    self.retryDelays = retryDelays
    self.interruption = interruption
    self.observer = observer
    memory = AccountPlaces.memory(of: account, in: stateHome)
    var access = IMAPAccess(account, memory: memory, interruption: interruption)
    access.isRemembering = !isDryRun
    self.server = server ?? IMAPServer(access) { _ in }
  }

  /// Restores; what is uploaded when it ends early is found by the next run.
  package func run() -> RestorationReport {
    var report = RestorationReport()
    report.skipped = source.skipped.count
    for entry in source.skipped { observer(.skipped(entry)) }
    do throws(SyncFailure) {
      let lock = isDryRun ? nil : try AccountPlaces(of: account).store.lockBesideSync()
      defer { lock?.release() }
      let journal = try RestoreJournal(memory, isReadOnly: isDryRun)
      defer { journal.close() }
      try run(journal, &report)
      if !isDryRun { server.served() }
    } catch {
      report.failure = server.postponed(error)
    }
    return report
  }

  private func run(
    _ journal: RestoreJournal,
    _ report: inout RestorationReport
  ) throws(SyncFailure) {
    var (store, listing) = try server.open(remembering: [], isWriting: !isDryRun)
    defer { store.close() }
    var finding = MailboxFinding(store, listing, isDryRun: isDryRun, observer: observer)
    for folder in source.folders { try finding.add(folder) }
    report.made = finding.made
    report.failed = finding.failed
    let drafts = RoleFinder(listing.mailboxes, configured: account.roles).mailbox(for: .drafts)
    for found in finding.targets {
      let display = finding.display(found.mailbox)
      var reading = FolderReading(
        display,
        sizeLimit: store.traits.sizeLimit,
        interruption,
        observer: observer
      )
      observer(.step("\(display): reading files"))
      for (number, folder) in found.folders.enumerated() { try reading.read(folder, number) }
      report.skipped += reading.skipped
      report.counts.refused += reading.refused
      let target = RestoreTarget(
        mailbox: found.mailbox,
        display: display,
        holdsDrafts: drafts?.name == found.mailbox,
        folders: found.folders,
        files: reading.sorted
      )
      try restore(target, isThere: found.isThere, journal, &store, &report)
    }
  }

  /// Restores to one mailbox; where the connection is lost, again over a new one.
  private func restore(
    _ target: RestoreTarget,
    isThere: Bool,
    _ journal: RestoreJournal,
    _ store: inout any MailStore,
    _ report: inout RestorationReport
  ) throws(SyncFailure) {
    let progress = RestoreProgress()
    var delays = retryDelays[...]
    while true {
      do throws(SyncFailure) {
        let counts = try counts(target, isThere: isThere, journal, progress, store)
        report.counts += counts
        report.skipped += progress.lost.count
        for index in progress.lost.sorted() {
          observer(.skipped(SkippedEntry(target.path(index), .changed)))
        }
        report.mailboxes += 1
        observer(.finished(mailbox: target.display, counts))
        return
      } catch {
        if error.isLostConnection, let delay = delays.popFirst() {
          observer(.problem(mailbox: target.display, error))
          guard interruption.sleep(seconds: delay) else { throw .interrupted }
          store.close()
          store = try server.open(remembering: [], isWriting: !isDryRun).store
          continue
        }
        guard !error.endsConnection, !error.endsRun else { throw error }
        observer(.problem(mailbox: target.display, error))
        report.failed += 1
        return try store.settle()
      }
    }
  }

  private func counts(
    _ target: RestoreTarget,
    isThere: Bool,
    _ journal: RestoreJournal,
    _ progress: RestoreProgress,
    _ store: any MailStore
  ) throws(SyncFailure) -> RestorationReport.Counts {
    guard isThere else {
      let none = [UInt32?](repeating: nil, count: target.files.count)
      return MailboxRestoration.plan(target, none, observer)
    }
    let restoration = MailboxRestoration(
      store: store,
      target: target,
      journal: journal,
      progress: progress,
      interruption: interruption,
      observer: observer
    )
    return isDryRun ? try restoration.plan() : try restoration.run()
  }
}
