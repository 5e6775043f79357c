internal import Configuration
internal import MailModel
internal import Platform
internal import Terminal
internal import Watch

/// The syncs that magnum watch is asked for, side by side, over the connections that it has.
struct WatchedSyncs {
  private struct Asked {
    let account: Account
    let thread: Thread
    /// Nil until it ended, and where the watch made none.
    let status: Monitor<ExitStatus?>
  }

  private var asked: [Asked] = []
  private let relay: ReportRelay

  /// Asks the watches of those accounts that seem to have one; `relay` prints what they report.
  init(
    of accounts: [Account],
    _ configuration: Configuration,
    _ wish: WatchClient.Wish,
    _ relay: ReportRelay
  ) {
    self.relay = relay
    for account in accounts {
      let client = WatchClient(
        account,
        configuration,
        stateHome: Environment.stateHome,
        wish
      )
      guard client.mayBeThere else { continue }
      let status = Monitor<ExitStatus?>(nil)
      let thread = try? Thread.spawn(name: "watch of \(account.name)") {
        let made = client.sync(.shared) { relay.put($0) }
        relay.end(account.name)
        status.withLock { $0 = made }
      }
      if let thread { asked.append(Asked(account: account, thread: thread, status: status)) }
    }
  }

  var accounts: Set<String> { Set(asked.map(\.account.name)) }

  /// Waits until all reports are printed, and calls `tell` for each sync that ended.
  ///
  /// - Returns: the accounts that no watch has synced.
  func wait(_ tell: (String, ExitStatus) -> Void) -> [Account] {
    for asked in asked { asked.thread.join() }
    relay.finish()
    return asked.filter { asked in
      guard let status = asked.status.withLock({ $0 }) else { return true }
      tell(asked.account.name, status)
      return false
    }.map(\.account)
  }
}

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
