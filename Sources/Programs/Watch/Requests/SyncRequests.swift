internal import Platform

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
