internal import MailModel
internal import CommandLine
internal import Configuration
internal import MailStore
internal import Octets
internal import Outgoing
internal import Platform
internal import SyncEngine
internal import Syncing
internal import Terminal
internal import Watch

/// What the program does between its options and its exit status.
struct SyncCommand {
  private let options: RunOptions
  private let context: CommandContext
  /// Shared by all that show progress.
  private let board: ProgressBoard

  private var console: Console { context.console }

  init(_ options: RunOptions, _ context: CommandContext) {
    self.options = options
    self.context = context
    board = ProgressBoard(console: context.console)
  }

  /// Runs, and gives the status to exit with.
  func run() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.withConfiguration(syncAccounts)
  }

  private func syncAccounts(_ configuration: Configuration) -> ExitStatus {
    guard !configuration.accounts.isEmpty || !configuration.senders.isEmpty else {
      let hint = "add a section [account.NAME]; magnum-config(5) shows one"
      return context.report(
        Explanation(.configuration, place: configuration.path.display, "no account", hint: hint)
      )
    }
    let targets: Targets
    do throws(Targets.Mistake) {
      targets = try Targets(
        named,
        massDeletion: options.allowMassDelete,
        fetchAgain: options.fetchAgain,
        in: configuration
      )
    } catch {
      return context.report(error.explanation)
    }
    return options.listMailboxes ? list(targets) : sync(targets, configuration)
  }

  /// What is to be synced: operands and values of `--account` alike.
  private var named: [String] { context.globals.accounts + context.operands }

  // MARK: Syncing

  private func sync(_ targets: Targets, _ configuration: Configuration) -> ExitStatus {
    let memory = problemMemory
    defer { memory.save() }
    let watched = WatchedSyncs(
      of: isPlain(targets) ? targets.accounts : [],
      configuration,
      WatchClient.Wish(
        form: context.reportForm,
        isAttended: isAttended,
        isNamed: !named.isEmpty,
        terminal: console.errorTraits
      ),
      ReportRelay(console, board)
    )
    let others = targets.accounts.filter { !watched.accounts.contains($0.name) }
    let work = accompanyingWork(others, configuration, memory)
    work.finishActs()
    let senders = named.isEmpty ? work.flushOthers(than: targets.accounts) : []
    for account in senders { memory.noteWhole(account) }
    let run = Run(configuration: configuration, options: syncOptions(targets), memory: memory)
    let filtering = FilterBudget(seconds: Self.filterSeconds)
    var statuses = sync(others, run, work, filtering)
    let declined = watched.wait { account, status in
      statuses.append(status)
      if context.globals.verbose { console.writeNote("\(account): synced by magnum watch") }
    }
    if !declined.isEmpty {
      statuses += sync(declined, run, accompanyingWork(declined, configuration, memory), filtering)
    }
    return ExitStatus.mostSevere(of: statuses)
  }

  /// Whether it is what a watch does too: all mailboxes, in the ways that the configuration says.
  private func isPlain(_ targets: Targets) -> Bool {
    !options.dryRun && !options.pull && !options.scan && !options.trace
      && targets.massDeletionAllowed.isEmpty && targets.fetchedAgain.isEmpty
      && targets.selections.allSatisfy(\.patterns.isEmpty)
  }

  /// What all syncs of one run share.
  private struct Run {
    let configuration: Configuration
    let options: SyncOptions
    let memory: ProblemMemory
  }

  private func sync(
    _ accounts: [Account],
    _ run: Run,
    _ work: AccompanyingWork,
    _ filtering: FilterBudget
  ) -> [ExitStatus] {
    let again: (@Sendable (Account) -> Bool)? =
      work.hasRules ? { @Sendable in work.wantsAnotherSync(of: $0) } : nil
    let reports = SyncRun.syncAccounts(
      accounts,
      of: run.configuration.accounts,
      options: run.options,
      stateHome: Environment.stateHome,
      interruption: .shared,
      before: { work.begin($0) },
      requests: { work.requests(of: $0) },
      arriving: { work.arriving($0) },
      postSync: { (account, report) throws(SyncFailure) in try work.runPostSync(account, report) },
      again: again,
      observer: { work.handleEvent($0) }
    )
    for account in accounts { work.finishPostSync(account) }
    if sends {
      for report in reports where !report.hasFailed { run.memory.noteWhole(report.account) }
    }
    let statuses = reports.map { ExitStatus($0.outcome) } + work.statuses
    filtering.spend { work.extractTexts(within: $0, .shared) }
    return statuses
  }

  /// How long attachments are filtered in a run once all is synced and reported; the next run goes on.
  private static let filterSeconds = 5.0

  /// Whether the queue is worked on.
  private var sends: Bool { !options.dryRun && !options.pull }

  private func accompanyingWork(
    _ accounts: [Account],
    _ configuration: Configuration,
    _ memory: ProblemMemory
  ) -> AccompanyingWork {
    let reporter = reporter(memory, windows: Self.windows(of: accounts))
    var scope = AccompanyingWork.Scope()
    scope.sends = sends
    scope.isDryRun = options.dryRun
    scope.sorts = !options.pull
    return AccompanyingWork(configuration, accounts, scope, reporter) { context.report($0) }
  }

  private var problemMemory: ProblemMemory {
    ProblemMemory(stateHome: Environment.stateHome, isWatched: isAttended, now: Clock.now())
  }

  /// Who names an account wants to know all about it, on a terminal or not.
  private var isAttended: Bool {
    console.errorTraits.isTerminal || !named.isEmpty || context.globals.verbose
      || context.globals.json || options.dryRun
  }

  private static func windows(of accounts: [Account]) -> [String: Int] {
    let windows = accounts.compactMap { account in
      account.sync.window.days.map { (account.name, $0) }
    }
    return Dictionary(first: windows)
  }

  private func reporter(
    _ memory: ProblemMemory,
    windows: [String: Int] = [:]
  ) -> any Reporter {
    context.reportForm.reporter(
      context.name,
      console,
      isDryRun: options.dryRun,
      memory,
      windows: windows,
      progress: board
    )
  }

  private func syncOptions(_ targets: Targets) -> SyncOptions {
    var result = SyncOptions()
    result.selections = targets.selections
    result.massDeletionAllowed = targets.massDeletionAllowed
    result.fetchedAgain = targets.fetchedAgain
    result.isDryRun = options.dryRun
    result.isPullOnly = options.pull
    result.isScanning = options.scan
    result.isTracing = options.trace
    return result
  }

  // MARK: Listing

  private func list(_ targets: Targets) -> ExitStatus {
    var statuses: [ExitStatus] = []
    for account in targets.accounts where account.server != nil {
      statuses.append(list(account, targets))
    }
    return ExitStatus.mostSevere(of: statuses)
  }

  private func list(_ account: Account, _ targets: Targets) -> ExitStatus {
    do throws(SyncFailure) {
      let facts = try SyncRun.probe(
        account,
        options: syncOptions(targets),
        stateHome: Environment.stateHome,
        interruption: .shared
      ) { event in
        if case .trace = event.kind { reporter(problemMemory).reportEvent(event) }
      }
      for name in facts.unknownNames { context.report(name.explanation(account: account.name)) }
      for mailbox in facts.mailboxes {
        let line = MailboxLine(mailbox, account: account.name)
        console.print(octets: context.globals.json ? line.json.octets : line.text)
      }
      return .success
    } catch {
      return context.report(error.explanation(account: account.name))
    }
  }
}

/// The seconds that a run has left for filters, over all of its syncs.
private final class FilterBudget: Sendable {
  private let left: Monitor<Double>

  init(seconds: Double) {
    left = Monitor(seconds)
  }

  /// Calls the body with what is left, where that is anything.
  func spend(_ body: (Double) -> Void) {
    let seconds = left.withLock { $0 }
    guard seconds > 0 else { return }
    let start = Clock.monotonicNanoseconds()
    body(seconds)
    left.withLock { $0 -= Double(Clock.monotonicNanoseconds() - start) / 1e9 }
  }
}
