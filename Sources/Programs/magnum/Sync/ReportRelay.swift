internal import Platform
internal import Terminal
internal import Watch

/// Prints what watches report, on a thread of its own: a terminal or a program that reads slowly keeps no watch waiting.
final class ReportRelay: Sendable {
  private struct State: Sendable {
    /// What was not printed yet, in its order.
    var waiting: [WatchedReport] = []
    /// The accounts whose progress is no longer shown.
    var ended: [String] = []
    var isOver = false

    var isEmpty: Bool { waiting.isEmpty && ended.isEmpty }
  }

  private let console: Console
  private let board: ProgressBoard
  private let state = Monitor(State())
  private let thread = Monitor<Thread?>(nil)

  init(_ console: Console, _ board: ProgressBoard) {
    self.console = console
    self.board = board
  }

  /// Has something printed soon; without a thread for that, at the end.
  func put(_ report: WatchedReport) {
    state.update { $0.waiting.append(report) }
    start()
  }

  /// Has the progress of an account go from the terminal, after all that was put before.
  func end(_ account: String) {
    state.update { $0.ended.append(account) }
    start()
  }

  /// Waits until all is printed; nothing may be put after that.
  func finish() {
    state.update { $0.isOver = true }
    thread.withLock { $0.take() }?.join()
    while printNext() {}
  }

  private func start() {
    thread.withLock { thread in
      if thread == nil { thread = try? Thread.spawn(name: "relay") { while self.printNext() {} } }
    }
  }

  /// Waits for something to print, and prints it; false once it is over.
  private func printNext() -> Bool {
    let next = state.take { state -> State? in
      guard !state.isEmpty || state.isOver else { return nil }
      defer { state = State(isOver: state.isOver) }
      return state
    }
    guard let next, !next.isEmpty else { return false }
    for report in next.waiting {
      switch report {
      case .output(let octets): console.relay(output: octets, errors: [])
      case .errors(let octets): console.relay(output: [], errors: octets)
      case .progress(let progress): board.update(progress)
      }
    }
    for account in next.ended { board.remove(account: account) }
    return true
  }
}
