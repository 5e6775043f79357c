internal import CommandLine
internal import Configuration
internal import MailStore
internal import Octets
internal import Outgoing
internal import Platform
internal import SyncEngine
internal import Terminal

/// What the program does between its options and its exit status.
struct SyncCommand {
  private let options: RunOptions
  private let context: CommandContext

  private var console: Console { context.console }

  init(_ options: RunOptions, _ context: CommandContext) {
    self.options = options
    self.context = context
  }

  /// Runs, and gives the status to exit with.
  func run() -> ExitStatus {
    Interruption.shared.watchSignals()
    return context.withConfiguration(run)
  }

  private func run(_ configuration: Configuration) -> ExitStatus {
    let targets: Targets
    do throws(Targets.Mistake) {
      targets = try Targets(named, massDeletion: options.allowMassDelete, in: configuration)
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
    let reporter = reporter(memory, windows: Self.windows(of: targets.accounts))
    let acts = ActKeeper(configuration)
    if !options.dryRun { finish(acts) }
    let stage = OutboxStage(configuration, reporter)
    let sends = !options.dryRun && !options.pull
    let senders = sends && named.isEmpty ? stage.flushOthers(than: targets.accounts) : []
    let indexing = Indexing(options.dryRun ? [] : targets.accounts) {
      reporter.indexing($0, $1, of: $2)
    }
    let reports = SyncRun.run(
      targets.accounts,
      of: configuration.accounts,
      options: syncOptions(targets),
      stateHome: Environment.stateHome,
      interruption: .shared,
      before: { if sends { stage.flush($0.name) } },
      requests: { stage.requests(of: $0.name) },
      observer: { event in
        if let outcome = indexing.take(event) { reporter.indexed(event.account, outcome) }
        if !options.dryRun { take(event, acts, reporter) }
        reporter.take(event)
      }
    )
    let whole = sends ? reports.filter { !$0.hasFailed }.map(\.account) + senders : []
    for account in whole { memory.noteWhole(account) }
    let statuses = reports.map { ExitStatus($0.outcome) } + stage.statuses
    return ExitStatus.gravest(of: statuses + (indexing.hasFailed ? [.partial] : []))
  }

  private func finish(_ acts: ActKeeper) {
    do throws(Explanation) {
      try acts.finish()
    } catch {
      context.report(error)
    }
  }

  /// Reports what people did and the server refuses; what cannot be seen to now, the next run sees to.
  private func take(_ event: SyncEvent, _ acts: ActKeeper, _ reporter: any Reporter) {
    do throws(Explanation) {
      for step in try acts.take(event) { reporter.returned(step) }
    } catch {
      context.report(error)
    }
  }

  /// Who names an account wants to know all about it, on a terminal or not.
  private var problemMemory: ProblemMemory {
    ProblemMemory(
      stateHome: Environment.stateHome,
      isWatched: console.errorTraits.isTerminal || !named.isEmpty || context.globals.verbose
        || context.globals.json || options.dryRun,
      now: Clock.now()
    )
  }

  private static func windows(of accounts: [Account]) -> [String: Int] {
    let windows = accounts.compactMap { account in
      if case .days(let days) = account.sync.window { (account.name, days) } else { nil }
    }
    return Dictionary(windows, uniquingKeysWith: { first, _ in first })
  }

  private func reporter(
    _ memory: ProblemMemory,
    windows: [String: Int] = [:]
  ) -> any Reporter {
    if context.globals.json { return JSONReporter(console: console, isDryRun: options.dryRun) }
    return TextReporter(
      console: console,
      verbosity: context.globals.quiet ? .quiet : context.globals.verbose ? .verbose : .normal,
      isDryRun: options.dryRun,
      memory: memory,
      windows: windows
    )
  }

  private func syncOptions(_ targets: Targets) -> SyncOptions {
    var result = SyncOptions()
    result.selections = targets.selections
    result.massDeletionAllowed = targets.massDeletionAllowed
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
    return ExitStatus.gravest(of: statuses)
  }

  private func list(_ account: Account, _ targets: Targets) -> ExitStatus {
    do throws(SyncFailure) {
      let facts = try SyncRun.probe(
        account,
        options: syncOptions(targets),
        stateHome: Environment.stateHome,
        interruption: .shared
      ) { event in
        if case .trace = event.kind { reporter(problemMemory).take(event) }
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
