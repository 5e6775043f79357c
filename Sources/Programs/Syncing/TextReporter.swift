internal import MailModel
internal import Configuration
internal import Folders
internal import MailStore
internal import Octets
internal import Outgoing
internal import Platform
internal import SearchIndex
internal import SyncEngine
internal import SyncPlan
internal import Terminal
internal import Triage

/// Shows a run to a person: progress at the foot of a terminal, problems at once, a line an account at the end.
///
/// From cron, where there is no terminal, it is silent unless something needs attention, and says once a day what was so in
/// the run before.
final class TextReporter: Reporter {
  private let program: String
  private let console: Console
  private let board: any ProgressDisplay
  private let verbosity: ReportForm.Verbosity
  private let isDryRun: Bool
  private let memory: ProblemMemory
  /// How many days back messages are fetched, by account.
  private let windows: [String: Int]
  /// Accounts of which it was said that their disk is full.
  private let full = Monitor(Set<String>())
  private let progress = Monitor([String: AccountProgress]())

  init(
    _ program: String,
    console: Console,
    verbosity: ReportForm.Verbosity,
    isDryRun: Bool,
    memory: ProblemMemory,
    windows: [String: Int] = [:],
    progress: any ProgressDisplay
  ) {
    self.program = program
    self.console = console
    self.windows = windows
    self.memory = memory
    self.verbosity = verbosity
    self.isDryRun = isDryRun
    board = progress
  }

  func reportEvent(_ event: SyncEvent) {
    showProgress(event)
    switch event.kind {
    case .folder(let mailbox, let change): show(change, "\(event.account)/\(mailbox)")
    case .planned(let mailbox, let plan, let moves): show(plan, moves, event.account, mailbox)
    case .problem(let mailbox, let failure)
    where isDue(failure, event.account, mailbox) && isFirst(failure, event.account):
      console.report(
        failure.explanation(account: event.account, mailbox: mailbox).diagnostic(of: program)
      )
    case .step(let words) where verbosity == .verbose:
      console.writeNote("\(event.account): \(words)")
    case .completing(let mailbox, let messages, let octets) where isWatched:
      console.writeNote("\(event.account)/\(mailbox): \(ReportWords.completing(messages, octets))")
    case .state(let state) where verbosity == .verbose && state != .headers && state != .bodies:
      console.writeNote("\(event.account): \(state.rawValue)")
    case .mailbox(let report) where verbosity == .verbose && !isDryRun && !report.isQuiet:
      console.writeNote("\(event.account)/\(report.mailbox): \(ReportWords.changes(report))")
    case .trace(let line): console.writeNote("\(event.account): \(line)")
    case .finished(let report): finish(report)
    default: break
    }
  }

  func indexing(_ account: String, _ done: Int, of total: Int) {
    guard verbosity != .quiet else { return }
    var state = ProgressState(account: account, phase: .other("indexing"))
    state.messagesDone = done
    state.messagesTotal = total
    board.update(state)
  }

  func indexed(_ account: String, _ outcome: Indexing.Outcome) {
    switch outcome {
    case .done(let report, _) where verbosity == .verbose && !report.isQuiet:
      console.writeNote("\(account): indexed \(ReportWords.changes(report))")
    case .done: break
    case .failed(let error):
      console.report(
        Diagnostic(program: program, place: account, what: error.message, hint: error.hint)
      )
    }
  }

  func extracted(_ account: String, _ report: FilterReport) {
    for (name, problem) in report.problems(of: account) where memory.isDue(name, of: account) {
      console.report(problem.diagnostic(of: program))
    }
    guard verbosity == .verbose else { return }
    let left = report.left == 0 ? "" : ", \(report.left) messages left to the next run"
    console.writeNote("\(account): text of \(report.texts) attachments\(left)")
  }

  func returned(_ step: ReturnedStep) {
    let command = Printable.text(step.act.command, limit: 80)
    let name =
      step.step.id.isEmpty
      ? Printable.text(step.step.base) : "id:\(Printable.text(step.step.id))"
    console.report(
      Diagnostic(
        program: program,
        place: step.step.account,
        what: "reverted locally: the server refused it: \(command) (\(step.act.number)), "
          + "\(name): \(Printable.text(step.words))",
        hint: "magnum log \(step.act.number) lists all of it"
      )
    )
  }

  func sorted(_ account: String, _ outcome: RuleOutcome) {
    switch outcome {
    case .begun(let isDamaged) where verbosity != .quiet:
      let words = isDamaged ? "the list of new mail was damaged; rules begin anew" : "rules begin"
      console.writeNote("\(account): \(words) with mail that comes from now on")
    case .sorted(let sorted) where isWatched:
      let messages = sorted.count == 1 ? "1 message" : "\(sorted.count) messages"
      let rules = sorted.rules.joined(separator: ", ")
      console.writeNote("\(account): \(messages) sorted by rules: \(rules)")
    case .begun, .sorted: break
    case .problem(let name, let problem): reportProblem(problem, of: name, in: account)
    }
  }

  private func reportProblem(_ problem: Explanation, of name: String?, in account: String) {
    if memory.isDue(name, of: account) { console.report(problem.diagnostic(of: program)) }
  }

  func reportLater(_ account: String, _ outcome: LaterOutcome) {
    switch outcome {
    case .woken(let count) where isWatched:
      console.writeNote("\(account): \(LaterWords.woken(count))")
    case .reminded(let count) where isWatched:
      console.writeNote("\(account): \(LaterWords.unanswered(count))")
    case .woken, .reminded: break
    case .problem(let problem): reportProblem(problem, of: nil, in: account)
    }
  }

  func bounced(_ account: String, _ outcome: BounceOutcome) {
    switch outcome {
    case .bounced(let count) where verbosity != .quiet && isWatched:
      console.writeNote("\(account): \(BounceWords.count(count)) (magnum queue list --bounced)")
    case .bounced: break
    case .problem(let problem): reportProblem(problem, of: nil, in: account)
    }
  }

  func reportOutbox(_ outbox: OutboxReport) {
    for (name, diagnostic) in outbox.problems(program) where memory.isDue(name, of: outbox.account)
    {
      console.report(diagnostic)
    }
    guard let text = outbox.text, verbosity != .quiet else { return }
    if verbosity == .verbose || console.errorTraits.isTerminal { console.print(text) }
  }

  // MARK: Plans

  /// In a dry run the plan is the result; with -v it is shown before it is carried out.
  private func show(
    _ plan: MailboxPlan,
    _ moves: [UInt32: MoveDetails],
    _ account: String,
    _ mailbox: String
  ) {
    let words = PlanWords(moves: moves)
    if isDryRun {
      let lines =
        verbosity == .verbose
        ? words.texts(plan) : PlanSummary(moves: moves, days: windows[account]).lines(plan)
      for line in lines { console.print("\(account)/\(mailbox): \(line)") }
    } else if verbosity == .verbose {
      for line in words.digest(plan) { console.writeNote("\(account)/\(mailbox): \(line)") }
    }
  }

  private func show(_ change: FolderChange, _ place: String) {
    let words = "\(place): \(FolderChangeWords.text(change, isDone: !isDryRun))"
    if isDryRun { console.print(words) } else if verbosity == .verbose { console.writeNote(words) }
  }

  // MARK: The end

  private func finish(_ report: AccountReport) {
    board.remove(account: report.account)
    if case .failed(let failure) = report.outcome {
      guard isDue(failure, report.account, nil), isFirst(failure, report.account) else { return }
      var explanation = failure.explanation(account: report.account)
      let done = ReportWords.changes(report.total)
      if !done.isEmpty { explanation.what += "; done before: \(done)" }
      console.report(explanation.diagnostic(of: program))
    }
    if isWanted(report) { console.print(ReportWords.line(report, isDryRun: isDryRun)) }
    showLeft(report)
    if isDryRun, verbosity != .quiet, !report.hasFailed, let words = ReportWords.leftOut(report) {
      console.print("\(report.account)  \(words)")
    }
  }

  /// Says what waits for another day, where nothing else is said too: otherwise it would not be known that mail is missing.
  private func showLeft(_ report: AccountReport) {
    guard verbosity != .quiet, let words = ReportWords.left(report, now: TestTime.ofDays()) else {
      return
    }
    if isWanted(report) { return console.print("\(report.account)  \(words)") }
    let name = "daily-limit \(report.day?.end ?? 0)"
    guard memory.isDueOnce(name, of: report.account) else { return }
    console.report(Diagnostic(program: program, place: report.account, what: words))
  }

  private func isDue(_ failure: SyncFailure, _ account: String, _ mailbox: String?) -> Bool {
    memory.isDue(failure.standingName(mailbox), of: account)
  }

  /// Every write fails on a full disk; one line an account says so.
  private func isFirst(_ failure: SyncFailure, _ account: String) -> Bool {
    guard failure.isOutOfSpace else { return true }
    return full.withLock { $0.insert(account).inserted }
  }

  private func isWanted(_ report: AccountReport) -> Bool {
    !report.hasFailed && (isWatched || isDryRun && verbosity == .normal)
  }

  /// Whether what is done is shown, and not only what went wrong.
  private var isWatched: Bool {
    switch verbosity {
    case .quiet: false
    case .normal: console.errorTraits.isTerminal
    case .verbose: true
    }
  }

  // MARK: Progress

  private func showProgress(_ event: SyncEvent) {
    guard verbosity != .quiet else { return }
    let state = progress.withLock { accounts -> ProgressState? in
      var account = accounts[event.account] ?? AccountProgress(event.account)
      guard account.applyEvent(event.kind) else { return nil }
      accounts[event.account] = account
      return account.state
    }
    if let state { board.update(state) }
  }
}

extension Explanation {
  /// The message to print during a run, beside progress.
  fileprivate func diagnostic(of program: String) -> Diagnostic {
    Diagnostic(program: program, place: place, what: what, hint: hint)
  }
}
