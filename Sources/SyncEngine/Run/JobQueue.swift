internal import Platform

/// The jobs of a run that still need a connection, shared by the account's connections.
final class JobQueue: Sendable {
  private struct State: Sendable {
    var waiting: [Job]
    var running = 0
    var returned: Set<UInt64> = []
    var isClosed = false
  }

  private let state: Monitor<State>

  /// A queue in the order of work.
  init(_ jobs: [Job]) {
    state = Monitor(State(waiting: jobs.reversed()))
  }

  /// The next job; waits while others are at work that may come back, nil when all is done.
  func next() -> Job? {
    let result = state.take { state -> Job?? in
      if state.isClosed { return .some(nil) }
      if let job = state.waiting.popLast() {
        state.running += 1
        return job
      }
      return state.running == 0 ? .some(nil) : nil
    }
    return result ?? nil
  }

  /// Takes a further job upon itself; nil where nobody shall begin anything more.
  func add(_ job: Job) -> Job? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.running += 1
      return job
    }
  }

  /// A job is done, well or badly.
  func finish() {
    state.update { $0.running -= 1 }
  }

  /// The connection broke under a job: another one may take it.
  ///
  /// The second time it goes behind all others, so that one on which the server stumbles every time
  /// does not keep them from being mirrored; for the same reason a batch comes back in pieces.
  func giveBack(_ job: Job) {
    state.update {
      $0.running -= 1
      for piece in job.pieces.reversed() {
        let isFirst = !job.isInseparable || $0.returned.insert(piece.id).inserted
        $0.waiting.insert(piece, at: isFirst ? $0.waiting.endIndex : 0)
      }
    }
  }

  /// Nobody shall begin anything more.
  func close() {
    state.update { $0.isClosed = true }
  }

  /// Waits until nobody is at work.
  func waitUntilIdle() {
    state.wait { $0.running == 0 }
  }
}
