internal import Configuration
internal import Platform
internal import SyncEngine
internal import Syncing
internal import Terminal
internal import Triage

/// What a sync reports to a program that waits for it: kept in memory until it is passed on, up to a limit.
///
/// What the sync came to is held back until it is known whether the sync is the program's: a program that makes its own reports
/// the end of that one.
final class RequestOutput: Reporter {
  /// The octets of a report after which no more is added to it but its end.
  private static let limit = WatchAnswer.limit - 1 << 20

  /// What is kept, and what fills it.
  private struct Kept: Sendable {
    let output: MemoryFile
    let errors: MemoryFile
    let console: Console
    let reporter: any Reporter
    /// The octets that were passed on.
    var taken = (output: 0, errors: 0)
    /// What the sync came to.
    var end: SyncEvent?

    var isFull: Bool { max(output.size, errors.size) > RequestOutput.limit }
  }

  private let account: String
  /// Nil once no program waits for it.
  private let kept: Monitor<Kept?>
  private let progress: LatestProgress
  private let changed: @Sendable () -> Void
  private let isCut = Monitor(false)

  /// What is reported in the form that the request asks for; `changed` is called whenever there may be more to take.
  ///
  /// - Throws: the error of memfd_create(2).
  init(
    _ request: WatchRequest,
    _ account: Account,
    _ memory: ProblemMemory,
    changed: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    self.account = account.name
    self.changed = changed
    let (output, errors) = (try MemoryFile(), try MemoryFile())
    let console = Console(
      output: output.descriptor,
      errors: errors.descriptor,
      errorTraits: request.terminal.traits
    )
    progress = LatestProgress(isWanted: request.terminal != .none, changed)
    let reporter = request.form.reporter(
      Self.program,
      console,
      isDryRun: false,
      memory,
      windows: account.sync.window.days.map { [account.name: $0] } ?? [:],
      progress: progress
    )
    kept = Monitor(Kept(output: output, errors: errors, console: console, reporter: reporter))
  }

  private static let program = "magnum-sync"

  /// The sync is the program's: what it came to is reported.
  func reportEnd() {
    guard let kept = kept.withLock({ $0 }) else { return }
    if let end = kept.end { pass(isEnd: true) { $0.reportEvent(end) } }
  }

  /// From now on nothing is added or kept.
  func end() { kept.withLock { $0 = nil } }

  /// Takes what was reported since the last call.
  func takeAnswers() -> [WatchAnswer] {
    let lines = kept.withLock { kept -> (output: [UInt8], errors: [UInt8])? in
      kept?.console.flush()
      guard let now = kept else { return nil }
      let output = now.output.lines(from: now.taken.output, limit: WatchAnswer.limit)
      let errors = now.errors.lines(from: now.taken.errors, limit: WatchAnswer.limit)
      kept?.taken = (now.taken.output + output.count, now.taken.errors + errors.count)
      return (output, errors)
    }
    guard let lines else { return [] }
    var answers: [WatchAnswer] = []
    if !lines.output.isEmpty { answers.append(.output(lines.output)) }
    if !lines.errors.isEmpty { answers.append(.errors(lines.errors)) }
    if let state = progress.takeProgress() { answers.append(.progress(state)) }
    return answers
  }

  /// Has something reported where there is room for it, or it is the end.
  private func pass(isEnd: Bool = false, _ report: (any Reporter) -> Void) {
    guard let kept = kept.withLock({ $0 }) else { return }
    defer { changed() }
    if kept.isFull {
      let isFirst = isCut.withLock { isCut in
        defer { isCut = true }
        return !isCut
      }
      if isFirst {
        let what = "more happened in this sync than magnum watch passes on; the rest is left out"
        kept.console.report(Diagnostic(program: Self.program, place: account, what: what))
      }
      guard isEnd else { return }
    }
    report(kept.reporter)
  }

  // MARK: Reporter

  func reportEvent(_ event: SyncEvent) {
    if case .finished = event.kind { return kept.withLock { $0?.end = event } }
    pass { $0.reportEvent(event) }
  }

  func reportOutbox(_ outbox: OutboxReport) { pass { $0.reportOutbox(outbox) } }

  func indexing(_ account: String, _ done: Int, of total: Int) {
    pass { $0.indexing(account, done, of: total) }
  }

  func indexed(_ account: String, _ outcome: Indexing.Outcome) {
    pass { $0.indexed(account, outcome) }
  }

  func extracted(_ account: String, _ report: FilterReport) {
    pass { $0.extracted(account, report) }
  }

  func returned(_ step: ReturnedStep) { pass { $0.returned(step) } }

  func sorted(_ account: String, _ outcome: RuleOutcome) { pass { $0.sorted(account, outcome) } }

  func reportLater(_ account: String, _ outcome: LaterOutcome) {
    pass { $0.reportLater(account, outcome) }
  }

  func bounced(_ account: String, _ outcome: BounceOutcome) {
    pass { $0.bounced(account, outcome) }
  }
}

/// The progress of one account, of which only the latest matters.
private final class LatestProgress: ProgressDisplay {
  private let isWanted: Bool
  private let changed: @Sendable () -> Void
  private let latest = Monitor<ProgressState?>(nil)

  /// None yet; `changed` is called when there is another one.
  ///
  /// Nothing is kept where it is not wanted.
  init(isWanted: Bool, _ changed: @escaping @Sendable () -> Void) {
    self.isWanted = isWanted
    self.changed = changed
  }

  /// Takes the latest; nil where it was taken before.
  func takeProgress() -> ProgressState? { latest.withLock { $0.take() } }

  func update(_ progress: ProgressState) {
    guard isWanted else { return }
    latest.withLock { $0 = progress }
    changed()
  }

  func remove(account: String) { latest.withLock { $0 = nil } }
}
