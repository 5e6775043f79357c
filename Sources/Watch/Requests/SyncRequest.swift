internal import CommandLine
internal import Configuration
internal import Platform
internal import SyncEvents
internal import Syncing
internal import Terminal

/// A sync that a program waits for: gathers what is to be reported to it.
final class SyncRequest: Sendable {
  private enum State: Sendable {
    case waiting, declined
    case done(ExitStatus)
  }

  /// What reports the sync to the program.
  let reporter: any Reporter

  private let output: MemoryFile
  private let errors: MemoryFile
  private let console: Console
  private let account: String
  private let memory: ProblemMemory
  private let state = Monitor(State.waiting)

  /// What `request` asks of a watch of the account.
  ///
  /// - Throws: the error of memfd_create(2).
  init(
    _ request: WatchRequest,
    _ account: Account,
    _ stateHome: Path
  ) throws(SystemError) {
    output = try MemoryFile()
    errors = try MemoryFile()
    console = Console(output: output.descriptor, errors: errors.descriptor)
    self.account = account.name
    memory = ProblemMemory(
      stateHome: stateHome,
      isWatched: request.isAttended,
      now: Clock.now()
    )
    reporter = request.form.reporter(
      "magnum-sync",
      console,
      isDryRun: false,
      memory,
      windows: account.sync.window.days.map { [account.name: $0] } ?? [:]
    )
  }

  /// The sync ended so; `isWhole` is whether it looked at everything.
  func finish(_ status: ExitStatus, isWhole: Bool) {
    if isWhole { memory.noteWhole(account) }
    memory.save()
    _ = console.finish()
    state.update { $0 = .done(status) }
  }

  /// No sync is made for it.
  func decline() {
    state.update { $0 = .declined }
  }

  /// What is to be told to the program now; waits for it until the deadline.
  func answers(_ deadline: Deadline) -> [WatchAnswer] {
    let end = state.take(deadline: deadline) { state -> [WatchAnswer]? in
      switch state {
      case .waiting: nil
      case .declined: [.declined]
      case .done(let status):
        [
          .output(output.octets(limit: WatchAnswer.limit)),
          .errors(errors.octets(limit: WatchAnswer.limit)), .done(status),
        ]
      }
    }
    return end ?? [.working]
  }
}

/// The syncs that programs wait for and that did not begin.
final class SyncRequests: Sendable {
  /// Nil once no sync is made any more.
  private let waiting = Monitor<[SyncRequest]?>([])

  /// Adds one, which the next sync is for.
  func add(_ request: SyncRequest) {
    let isAdded = waiting.withLock { waiting -> Bool in
      waiting?.append(request)
      return waiting != nil
    }
    if !isAdded { request.decline() }
  }

  /// Takes all; whoever does has to finish or to decline each.
  func takeAll() -> [SyncRequest] {
    waiting.withLock { waiting in
      defer { if waiting != nil { waiting = [] } }
      return waiting ?? []
    }
  }

  /// Declines all.
  func declineAll() {
    for request in takeAll() { request.decline() }
  }

  /// Declines all, and those that come later.
  func end() {
    declineAll()
    for request in waiting.withLock({ $0.take() }) ?? [] { request.decline() }
  }
}
