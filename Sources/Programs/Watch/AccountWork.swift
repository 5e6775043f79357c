internal import Configuration
internal import Platform
internal import SyncEngine
internal import Syncing

/// What goes on beside one sync of a watched account, and what is reported of it.
struct AccountWork: Sendable {
  let work: AccompanyingWork

  private let account: Account
  private let memory: ProblemMemory
  private let filter: RepeatFilter?

  /// The work beside the next sync, which is reported to others too; `before` is that beside the one before.
  init(
    _ account: Account,
    _ configuration: Configuration,
    _ setting: WatchSetting,
    reportingTo others: [any Reporter] = [],
    after before: AccountWork? = nil
  ) {
    self.account = account
    memory = ProblemMemory(
      stateHome: setting.stateHome,
      isWatched: setting.isRead,
      now: Clock.now()
    )
    let reporter = setting.reporter(memory)
    filter = setting.reportsAll ? nil : RepeatFilter(reporter, after: before?.filter)
    let observer = setting.observer
    let all = ReporterGroup([filter ?? reporter] + others)
    var scope = AccompanyingWork.Scope()
    scope.stateHome = setting.stateHome
    work = AccompanyingWork(configuration, [account], scope, all) {
      observer(.problem($0))
    }
  }

  /// The sync is over.
  func finishSync(_ report: AccountReport) {
    if !report.hasFailed { memory.noteWhole(account.name) }
    memory.save()
  }

  /// Has filters make text of attachments, for as long as it takes.
  func extractTexts(_ interruption: Interruption) {
    work.extractTexts(within: nil, interruption)
    memory.save()
  }
}

/// Has filters make text of attachments beside the syncs of an account, on a thread that ends when nothing is left to do.
final class TextWorker: Sendable {
  private struct State: Sendable {
    var waiting: (@Sendable () -> Void)?
    var isRunning = false
  }

  private let state = Monitor(State())

  /// Runs the work, now or once that under way has ended; does not wait for it.
  func runWork(_ work: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.waiting = work
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFirst else { return }
    let thread = try? Thread.spawn(name: "texts", stackSize: 8 << 20, isBackground: true) {
      self.work()
    }
    // Without a thread, the next sync tries again.
    if thread == nil { state.withLock { $0 = State() } }
  }

  private func work() {
    while let next = takeNext() { next() }
  }

  private func takeNext() -> (@Sendable () -> Void)? {
    state.update { state in
      if state.waiting == nil { state.isRunning = false }
      return state.waiting.take()
    }
  }

  /// Waits until nothing is left to do.
  func waitUntilIdle() {
    state.wait(deadline: .never) { !$0.isRunning }
  }
}
