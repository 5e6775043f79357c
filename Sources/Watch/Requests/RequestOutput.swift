internal import CommandLine
internal import Configuration
internal import Platform
internal import SyncEvents
internal import Syncing
internal import Terminal
internal import Triage

/// What a sync reports to a program that waits for it: kept in memory until the sync is over, up to a limit.
final class RequestOutput: Reporter {
  /// The octets of a report after which no more is added to it but its end.
  private static let limit = WatchAnswer.limit - 1 << 20

  /// What is kept, and what fills it.
  private struct Kept: Sendable {
    let output: MemoryFile
    let errors: MemoryFile
    let console: Console
    let reporter: any Reporter

    var isFull: Bool { max(output.size, errors.size) > RequestOutput.limit }
  }

  private let account: String
  /// Nil once nobody waits for it.
  private let kept: Monitor<Kept?>
  private let isCut = Monitor(false)

  /// What is reported in the form that the request asks for.
  ///
  /// - Throws: the error of memfd_create(2).
  init(
    _ request: WatchRequest,
    _ account: Account,
    _ memory: ProblemMemory
  ) throws(SystemError) {
    self.account = account.name
    let (output, errors) = (try MemoryFile(), try MemoryFile())
    let console = Console(
      output: output.descriptor,
      errors: errors.descriptor,
      errorTraits: request.terminal.traits
    )
    let reporter = request.form.reporter(
      Self.program,
      console,
      isDryRun: false,
      memory,
      windows: account.sync.window.days.map { [account.name: $0] } ?? [:]
    )
    kept = Monitor(Kept(output: output, errors: errors, console: console, reporter: reporter))
  }

  private static let program = "magnum-sync"

  /// Nothing is added any more, and nothing kept; gives all that was reported.
  func end() -> [WatchAnswer] {
    guard let kept = kept.withLock({ $0.take() }) else { return [] }
    _ = kept.console.finish()
    return [
      .output(kept.output.lines(limit: WatchAnswer.limit)),
      .errors(kept.errors.lines(limit: WatchAnswer.limit)),
    ]
  }

  /// Has something reported where there is room for it, or it is the end.
  private func pass(isEnd: Bool = false, _ report: (any Reporter) -> Void) {
    guard let kept = kept.withLock({ $0 }) else { return }
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

  func take(_ event: SyncEvent) {
    let isEnd = if case .finished = event.kind { true } else { false }
    pass(isEnd: isEnd) { $0.take(event) }
  }

  func take(_ outbox: OutboxReport) { pass { $0.take(outbox) } }

  func indexing(_ account: String, _ done: Int, of total: Int) {
    pass { $0.indexing(account, done, of: total) }
  }

  func indexed(_ account: String, _ outcome: Indexing.Outcome) {
    pass { $0.indexed(account, outcome) }
  }

  func returned(_ step: ReturnedStep) { pass { $0.returned(step) } }
}
