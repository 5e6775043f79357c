internal import Configuration
internal import MailModel
internal import Platform
internal import Syncing
internal import WatchPlan

/// A sync that a program waits for.
final class SyncRequest: Sendable {
  private enum Phase: Sendable {
    case waiting
    case ended(WatchAnswer)
    /// The program no longer waits.
    case abandoned
  }

  private struct State: Sendable {
    var phase = Phase.waiting
    /// Whether more may have been reported than was told.
    var hasNews = false

    var isWaiting: Bool { if case .waiting = phase { true } else { false } }
  }

  /// In what way it is asked for.
  let demand: SyncDemand

  private let output: RequestOutput
  private let account: String
  private let memory: ProblemMemory
  private let state: Monitor<State>

  /// What `request` asks of a watch of the account.
  ///
  /// - Throws: the error of memfd_create(2).
  init(
    _ request: WatchRequest,
    _ account: Account,
    _ stateHome: Path
  ) throws(SystemError) {
    demand = request.isNamed ? .named : .unnamed
    self.account = account.name
    memory = ProblemMemory(
      stateHome: stateHome,
      isWatched: request.isAttended,
      now: Clock.now()
    )
    let state = Monitor(State())
    self.state = state
    output = try RequestOutput(request, account, memory) { state.update { $0.hasNews = true } }
  }

  /// What reports the sync to the program, for as long as that waits.
  var reporter: any Reporter { output }

  /// Whether the program waits no more, so that no sync is needed for it.
  var isAbandoned: Bool {
    state.withLock { if case .abandoned = $0.phase { true } else { false } }
  }

  /// The sync ended so; `isWhole` is whether it looked at everything.
  func finish(_ status: ExitStatus, isWhole: Bool) {
    output.reportEnd()
    if isWhole { memory.noteWhole(account) }
    memory.save()
    end(.done(status))
  }

  /// No sync is made for it.
  func decline() { end(.declined) }

  /// The watch ends, or begins anew, before the sync is done.
  func giveBack() { end(.again) }

  /// The program no longer waits.
  func abandon() {
    output.end()
    state.update { $0.phase = .abandoned }
  }

  private func end(_ answer: WatchAnswer) {
    state.update { state in
      if state.isWaiting { state.phase = .ended(answer) }
    }
  }

  /// What is to be told to the program now, the end of all where that came; waits for it until the deadline.
  func answers(_ deadline: Deadline) -> [WatchAnswer] {
    let phase = state.take(deadline: deadline) { state -> Phase? in
      guard state.hasNews || !state.isWaiting else { return nil }
      state.hasNews = false
      return state.phase
    }
    switch phase {
    case nil: return [.working]
    case .waiting: return output.takeAnswers()
    case .abandoned: return [.declined]
    case .ended(let answer):
      // What was done for it and not told is nothing to a program that makes its own sync.
      let rest = if case .done = answer { output.takeAnswers() } else { [WatchAnswer]() }
      output.end()
      return rest + [answer]
    }
  }

  /// Waits until the sync is over, or the deadline.
  func waitForEnd(_ deadline: Deadline) { state.wait(deadline: deadline) { !$0.isWaiting } }
}

/// The syncs that programs wait for and that did not begin.
final class SyncRequests: Sendable {
  private struct State: Sendable {
    /// Of which the account's thread does not know yet.
    var arrived: [SyncRequest] = []
    /// Which the next sync is for.
    var waiting: [SyncRequest] = []
    /// Whether no further sync is made.
    var isOver = false
  }

  private let state = Monitor(State())

  /// Adds one, of which the account's thread learns by `admit`.
  func add(_ request: SyncRequest) {
    let isAdded = state.withLock { state -> Bool in
      state.arrived.removeAll(where: \.isAbandoned)
      if !state.isOver { state.arrived.append(request) }
      return !state.isOver
    }
    if !isAdded { request.giveBack() }
  }

  /// Has the next sync be for those that came since the last call; those for which none is to be made are declined.
  func admit(where isAllowed: (SyncRequest) -> Bool) {
    let arrived = state.withLock { state in
      defer { state.arrived = [] }
      return state.arrived.filter { !$0.isAbandoned }
    }
    for request in arrived {
      if isAllowed(request) {
        state.withLock { $0.waiting.append(request) }
      } else {
        request.decline()
      }
    }
  }

  /// Takes all that the next sync is for; each has to be ended.
  func takeAll() -> [SyncRequest] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting.filter { !$0.isAbandoned }
    }
  }

  /// Gives all back, and those that come later.
  func end() {
    let left = state.withLock { state in
      defer { state = State(isOver: true) }
      return state.arrived + state.waiting
    }
    for request in left { request.giveBack() }
  }
}
