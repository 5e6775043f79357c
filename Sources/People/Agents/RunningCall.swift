internal import AgentPlan
internal import Platform

/// A call, as long as its thread runs: what the client and the thread know of each other.
package final class RunningCall: Sendable {
  private enum Phase: Sendable {
    /// The client waits for it.
    case wanted
    /// The client no longer wants an answer, and the runner waits for its end.
    case cancelled
    /// It changes something, and is finished, however long that takes.
    case begun(isWanted: Bool)
    /// It took too long: nothing waits for its end.
    case left
    /// It has ended; nil where there is no answer.
    case ended(ToolOutcome?)

    var isWanted: Bool {
      switch self {
      case .wanted, .begun(isWanted: true): true
      case .cancelled, .begun(isWanted: false), .left, .ended: false
      }
    }

    var hasEnded: Bool { if case .ended = self { true } else { false } }
  }

  private let phase = Monitor(Phase.wanted)

  package init() {}

  /// Whether there is a use for an answer; looked at between steps.
  var isWanted: Bool { phase.withLock { $0.isWanted } }
  var hasEnded: Bool { phase.withLock { $0.hasEnded } }

  /// Begins to change something; from then on the call is finished, however long that takes.
  ///
  /// - Returns: whether it may: not once the client has cancelled it, or nothing waits for it.
  func begin() -> Bool {
    phase.update { phase in
      switch phase {
      case .wanted: phase = .begun(isWanted: true)
      case .begun: break
      case .cancelled, .left, .ended: return false
      }
      return true
    }
  }

  /// Has it end without an answer.
  func cancel() {
    phase.update { phase in
      switch phase {
      case .wanted: phase = .cancelled
      case .begun: phase = .begun(isWanted: false)
      case .cancelled, .left, .ended: break
      }
    }
  }

  func end(_ outcome: ToolOutcome?) {
    phase.update { phase in phase = .ended(phase.isWanted ? outcome : nil) }
  }

  /// Waits for its end, for so many seconds; nil where it goes on.
  func outcome(within seconds: Double) -> ToolOutcome?? {
    _ = phase.wait(deadline: .after(seconds: seconds)) { $0.hasEnded }
    return phase.withLock { phase in
      if case .ended(let outcome) = phase { .some(outcome) } else { nil }
    }
  }

  /// Stops waiting for it.
  ///
  /// - Returns: whether the client waited for it until then; nil where it has just ended, or changes something.
  func leave() -> Bool? {
    phase.update { phase in
      switch phase {
      case .begun, .ended: return nil
      case .wanted, .cancelled, .left:
        defer { phase = .left }
        return phase.isWanted
      }
    }
  }
}
