internal import Platform

/// The jobs of a run that still need a connection, shared by the account's connections.
final class JobQueue: Sendable {
  /// What a connection is to do.
  enum Work: Sendable {
    /// A job, which is finished or given back.
    case job(Job)
    /// Some of the messages that another one fetches, until `finish`.
    case help(SharedDownload)
  }

  private struct State: Sendable {
    var waiting: [Job]
    /// Those for which one more connection is wanted.
    var downloads: [SharedDownload] = []
    /// Connections with nothing to do.
    var idle = 0
    var running = 0
    var returned: Set<UInt64> = []
    var isClosed = false

    mutating func popWork() -> Work? {
      waiting.popLast().map(Work.job) ?? downloads.popLast().map(Work.help)
    }

    /// A worker is no longer at work.
    mutating func end() {
      running -= 1
      downloads.removeAll { !$0.takesHelp }
    }
  }

  private let state: Monitor<State>

  /// A queue in the order of work.
  init(_ jobs: [Job]) {
    state = Monitor(State(waiting: jobs.reversed()))
  }

  /// What is to be done next; waits while others are at work that may come back, nil when all is done.
  func next() -> Work? {
    state.withLock { $0.idle += 1 }
    let result = state.take { state -> Work?? in
      if state.isClosed { return .some(nil) }
      guard let work = state.popWork() else { return state.running == 0 ? .some(nil) : nil }
      state.running += 1
      return work
    }
    state.withLock { $0.idle -= 1 }
    return result ?? nil
  }

  /// Has one more connection fetch messages; false where none is idle, so that one is to be made.
  func offer(_ download: SharedDownload) -> Bool {
    state.update { state in
      guard !state.isClosed else { return true }
      state.downloads.append(download)
      return state.idle >= state.downloads.count
    }
  }

  /// Takes a further job upon itself; nil where no further job is to begin.
  func add(_ job: Job) -> Job? {
    state.withLock { state in
      if state.isClosed { return nil }
      state.running += 1
      return job
    }
  }

  /// What was to be done is done, well or badly.
  func finish() {
    state.update { $0.end() }
  }

  /// The connection broke under a job: another one may take it.
  ///
  /// The second time it goes behind all others, so that one on which the server stumbles every time
  /// does not keep them from being mirrored; for the same reason a batch comes back in pieces.
  func giveBack(_ job: Job) {
    state.update {
      $0.end()
      for piece in job.pieces.reversed() {
        let isFirst = !job.isInseparable || $0.returned.insert(piece.id).inserted
        $0.waiting.insert(piece, at: isFirst ? $0.waiting.endIndex : 0)
      }
    }
  }

  /// No further job is to begin.
  func close() {
    state.update {
      $0.isClosed = true
      $0.downloads = []
    }
  }

  /// Waits until no worker is at work.
  func waitUntilIdle() {
    state.wait { $0.running == 0 }
  }
}
