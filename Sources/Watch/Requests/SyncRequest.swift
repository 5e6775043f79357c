internal import CommandLine
internal import Configuration
internal import Platform
internal import Syncing
internal import WatchPlan

/// A sync that a program waits for.
final class SyncRequest: Sendable {
  private enum State: Sendable {
    case waiting
    case ended([WatchAnswer])
    /// The program does not wait any more.
    case abandoned
  }

  /// In what way it is asked for.
  let demand: SyncDemand

  private let output: RequestOutput
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
    demand = request.isNamed ? .named : .unnamed
    self.account = account.name
    memory = ProblemMemory(
      stateHome: stateHome,
      isWatched: request.isAttended,
      now: Clock.now()
    )
    output = try RequestOutput(request, account, memory)
  }

  /// What reports the sync to the program, for as long as that waits.
  var reporter: any Reporter { output }

  /// Whether the program waits no more, so that no sync is needed for it.
  var isAbandoned: Bool {
    state.withLock { if case .abandoned = $0 { true } else { false } }
  }

  /// The sync ended so; `isWhole` is whether it looked at everything.
  func finish(_ status: ExitStatus, isWhole: Bool) {
    if isWhole { memory.noteWhole(account) }
    memory.save()
    end(output.end() + [.done(status)])
  }

  /// No sync is made for it.
  func decline() { end([.declined]) }

  /// The watch ends, or begins anew, before the sync is done.
  func giveBack() { end([.again]) }

  /// The program does not wait any more.
  func abandon() {
    _ = output.end()
    state.update { $0 = .abandoned }
  }

  private func end(_ answers: [WatchAnswer]) {
    _ = output.end()
    state.update { state in
      if case .waiting = state { state = .ended(answers) }
    }
  }

  /// What is to be told to the program now; waits for it until the deadline.
  func answers(_ deadline: Deadline) -> [WatchAnswer] {
    let end = state.take(deadline: deadline) { state -> [WatchAnswer]? in
      switch state {
      case .waiting: nil
      case .abandoned: [.declined]
      case .ended(let answers): answers
      }
    }
    return end ?? [.working]
  }
}
