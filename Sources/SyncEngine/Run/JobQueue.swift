internal import Platform

/// The mailboxes of a run that still need a connection, shared by the account's connections.
final class JobQueue: Sendable {
  private struct State: Sendable {
    var waiting: [MirroredMailbox]
    var running = 0
    var returned: Set<UInt64> = []
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
  ///
  /// The second time it goes behind all others, so that one on which the server stumbles every time
  /// does not keep them from being mirrored.
  func giveBack(_ mailbox: MirroredMailbox) {
    state.update {
      $0.running -= 1
      let isFirst = $0.returned.insert(mailbox.id).inserted
      $0.waiting.insert(mailbox, at: isFirst ? $0.waiting.endIndex : 0)
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
