internal import Platform

/// The mailboxes of a run that still need a connection, shared by the account's connections.
final class JobQueue: Sendable {
  private struct State: Sendable {
    var waiting: [MirroredMailbox]
    var running = 0
    var isClosed = false
  }

  private let state: Monitor<State>

  /// A queue in the order of work.
  init(_ mailboxes: [MirroredMailbox]) {
    state = Monitor(State(waiting: mailboxes.reversed()))
  }

  /// The next mailbox; waits while others are at work that may come back, nil when all is done.
  func next() -> MirroredMailbox? {
    let result = state.take { state -> MirroredMailbox?? in
      if state.isClosed { return .some(nil) }
      if let mailbox = state.waiting.popLast() {
        state.running += 1
        return mailbox
      }
      return state.running == 0 ? .some(nil) : nil
    }
    return result ?? nil
  }

  /// A mailbox is done, well or badly.
  func finish() {
    state.update { $0.running -= 1 }
  }

  /// The connection broke under a mailbox: somebody else may take it.
  func giveBack(_ mailbox: MirroredMailbox) {
    state.update {
      $0.running -= 1
      $0.waiting.append(mailbox)
    }
  }

  /// Nobody shall begin anything more.
  func close() {
    state.update { $0.isClosed = true }
  }

  /// Whether nobody waits.
  var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }
}
