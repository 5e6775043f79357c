package import Configuration
package import MailModel
package import MailStore
package import Platform
package import SyncEngine

/// The work beside the syncs of accounts.
///
/// The queue is sent before, the mail is indexed meanwhile, sorted by rules then and looked through for reports of failures, and
/// acts that a server refuses are undone here at the end. All of it is reported.
package final class AccompanyingWork: Sendable {
  /// What of it is done.
  package struct Scope: Sendable {
    /// Whether the queue is worked on.
    package var sends = true
    /// Whether nothing is done but to report.
    package var isDryRun = false
    /// Whether rules are applied to mail that came.
    package var sorts = true
    /// Where what is wrong is recorded.
    package var stateHome = Environment.stateHome

    /// All of it.
    package init() {}
  }

  private let scope: Scope
  private let configuration: Configuration
  private let reporter: any Reporter
  private let explain: @Sendable (Explanation) -> Void
  private let acts: ActKeeper
  private let outbox: OutboxStage
  private let indexing: Indexing
  private let rules: RuleStage?
  private let later: LaterStage?
  private let bounces: BounceStage?
  private let texts: TextStage
  private let trouble: TroubleRecorder
  /// The accounts of which a sync was begun.
  private let begun = Monitor(Set<String>())

  /// The work beside the syncs of these accounts.
  ///
  /// - Parameters:
  ///   - configuration: all accounts.
  ///   - accounts: those that are synced.
  ///   - scope: what is done.
  ///   - reporter: takes what came of it.
  ///   - explain: reports what is wrong besides.
  package init(
    _ configuration: Configuration,
    _ accounts: [Account],
    _ scope: Scope,
    _ reporter: any Reporter,
    explain: @escaping @Sendable (Explanation) -> Void
  ) {
    self.scope = scope
    self.configuration = configuration
    self.reporter = reporter
    self.explain = explain
    acts = ActKeeper(configuration)
    trouble = TroubleRecorder(scope.stateHome)
    outbox = OutboxStage(configuration, reporter)
    texts = TextStage(configuration, scope.isDryRun ? [] : accounts)
    later = scope.sends ? LaterStage(configuration, stateHome: scope.stateHome) : nil
    rules =
      scope.isDryRun
      ? nil
      : RuleStage(
        configuration,
        accounts,
        stateHome: scope.stateHome,
        isSorting: scope.sorts
      )
    bounces =
      scope.isDryRun || !scope.sorts
      ? nil
      : BounceStage(configuration, accounts, stateHome: scope.stateHome)
    indexing = Indexing(scope.isDryRun ? [] : accounts) { reporter.indexing($0, $1, of: $2) }
  }

  /// What came of it, for the status of a program.
  package var statuses: [ExitStatus] {
    outbox.statuses + (indexing.hasFailed ? [.partial] : []) + (rules?.statuses ?? [])
      + (later?.statuses ?? [])
  }

  /// Brings to its end what a command was doing to files when it was cut short, so that half of it never reaches a server.
  package func finishActs() {
    guard !scope.isDryRun else { return }
    do throws(Explanation) {
      try acts.finish()
    } catch {
      explain(error)
    }
  }

  /// Works on the queues of accounts that are not synced, and says what waits in those of no account; gives the names of all
  /// these.
  package func flushOthers(than accounts: [Account]) -> [String] {
    scope.sends ? outbox.flushOthers(than: accounts) : []
  }

  /// To be called before a sync of the account; a second one right behind it needs nothing.
  package func begin(_ account: Account) {
    guard begun.withLock({ $0.insert(account.name).inserted }) else { return }
    if scope.sends { outbox.flush(account.name) }
    doWhatIsDue(account, reminds: false)
    for outcome in rules?.begin(account) ?? [] { reporter.sorted(account.name, outcome) }
  }

  /// Does what is to be done about messages of the account whose time is there: snoozed ones come back, and with `reminds`,
  /// where mail that came is in the index, sent ones are looked at for answers.
  package func doWhatIsDue(_ account: Account, reminds: Bool) {
    for outcome in later?.doWhatIsDue(account, reminds: reminds) ?? [] {
      reporter.reportLater(account.name, outcome)
    }
  }

  /// Seconds until something is to be done about messages of the account, 0 where it is; nil for nothing.
  package func laterDelay(of account: Account) -> Double? { later?.delay(of: account) }

  /// Takes new messages of the account before they are recorded; nil where nothing has to know of them.
  package func arriving(_ account: Account) -> ArrivalObserver? { rules?.observer(of: account) }

  /// Whether rules are applied to mail of any of the accounts.
  package var hasRules: Bool { rules != nil }

  /// Whether the account is to be synced once more, since rules changed something; asked once behind each sync.
  package func wantsAnotherSync(of account: Account) -> Bool {
    rules?.takePush(of: account) ?? false
  }

  /// The report of the account's sync with new messages as they are behind the rules, and with those whose time was there; each
  /// of these is in one report only.
  package func placed(_ report: AccountReport) -> AccountReport {
    let report = rules?.placed(report) ?? report
    return later?.told(report) ?? report
  }

  /// Seconds until the first entry of the account's queue is due, 0 where one is; nil where none waits for its time.
  package func queueDelay(of account: Account) -> Double? {
    scope.sends ? outbox.delay(of: account.name) : nil
  }

  /// The messages of the account that entries of its queue are to move or to remove; nil where that cannot be told.
  package func requests(of account: Account) -> [MessageReference]? {
    outbox.requests(of: account.name)
  }

  /// Whether attachments are filtered.
  package var hasFilters: Bool { !texts.isEmpty }

  /// Has filters make text of attachments, for about so many seconds; nil for as long as it takes.
  ///
  /// To be called when the syncs of the accounts are over, which do not wait for it.
  package func extractTexts(within seconds: Double?, _ interruption: Interruption) {
    texts.extractTexts(within: seconds, interruption) { account, outcome in
      switch outcome {
      case .success(let report): reporter.extracted(account, report)
      case .failure(let error): reporter.indexed(account, .failed(error))
      }
    }
  }

  /// Tells a command that runs after a sync of the account of each new message.
  package func news(_ account: Account, _ arrivals: Arrivals) -> [UInt8] {
    NewsLines(account).octets(arrivals)
  }

  /// Runs the account's `post-sync` for what a sync brought; an interruption ends it.
  ///
  /// - Throws: `SyncFailure.hook` when it fails.
  package func runPostSync(_ account: Account, _ report: AccountReport) throws(SyncFailure) {
    guard let command = account.sync.postSync else { return }
    let report = placed(report)
    try PostSync(command, .shared).runCommand(report, news(account, report.total.arrivals))
  }

  /// Runs `post-sync` for messages whose time was there where the sync itself gave no cause to.
  package func finishPostSync(_ account: Account) {
    guard !Interruption.shared.isRequested else { return }
    do throws(SyncFailure) {
      try later?.runPostSync(account)
    } catch {
      explain(error.explanation(account: account.name))
    }
  }

  /// Handles an event of a sync; returns once all that has to follow it is done.
  package func handleEvent(_ event: SyncEvent) {
    let indexed = indexing.handleEvent(event)
    if let indexed { reporter.indexed(event.account, indexed) }
    for outcome in rules?.handleEvent(event) ?? [] { reporter.sorted(event.account, outcome) }
    if let outcome = bounces?.handleEvent(event, indexed?.report) {
      reporter.bounced(event.account, outcome)
    }
    if case .finished(let report) = event.kind, report.isWhole, !report.hasFailed,
      let account = configuration.account(named: event.account)
    {
      doWhatIsDue(account, reminds: true)
    }
    if !scope.isDryRun {
      trouble.recordEvent(event)
      reportReturnedSteps(event)
    }
    reporter.reportEvent(event)
  }

  /// Reports what people did and the server refuses; what cannot be seen to now, the next sync sees to.
  private func reportReturnedSteps(_ event: SyncEvent) {
    do throws(Explanation) {
      for step in try acts.handleEvent(event) { reporter.returned(step) }
    } catch {
      explain(error)
    }
  }
}
