internal import AgentPlan
internal import Platform

/// Runs the calls of a client one by one, each on a thread of its own, which is left alone where it takes too long.
///
/// One that has begun to change something is finished (``RunningCall``).
final class CallRunner: Sendable {
  private struct State: Sendable {
    /// The request that is worked on.
    var current: (id: RequestID, call: RunningCall)?
    /// Calls that were left alone and may still run.
    var strays: [RunningCall] = []
  }

  private let state = Monitor(State())
  /// Seconds that a call may take.
  private let limit: Double

  /// Calls that were left alone and still run, at most.
  static let strayLimit = 2
  /// Searches are deep where queries are.
  private static let stackSize = 16 << 20
  /// Seconds between two looks at whether all has to end.
  private static let glance = 0.05

  init(limit: Double = 10) {
    self.limit = limit
  }

  /// Makes a request the one that is worked on.
  func begin(_ id: RequestID) { state.update { $0.current = (id, RunningCall()) } }

  /// Has the request that is worked on go without an answer, where it is that one.
  func cancel(_ id: RequestID) {
    if let current = state.withLock({ $0.current }), current.id == id { current.call.cancel() }
  }

  /// Runs the call of the request that is worked on.
  ///
  /// - Parameters:
  ///   - isEnding: whether the program has to end.
  ///   - body: does the call.
  /// - Returns: what it came to; nil where no answer is wanted.
  func run(
    isEnding: () -> Bool,
    _ body: @escaping @Sendable (RunningCall) -> ToolOutcome?
  ) -> ToolOutcome? {
    guard let call = takeCurrent() else { return .failed(.again) }
    do throws(SystemError) {
      _ = try Thread.spawn(name: "call", stackSize: Self.stackSize) { call.end(body(call)) }
    } catch {
      return .failed(.again)
    }
    let deadline = Deadline.after(seconds: limit)
    while true {
      if let outcome = call.outcome(within: min(Self.glance, limit)) { return outcome }
      let mustEnd = isEnding()
      guard mustEnd || deadline.isPast, let wasWanted = call.leave() else { continue }
      if mustEnd { return nil }
      state.update { $0.strays.append(call) }
      return wasWanted ? .failed(.again) : nil
    }
  }

  /// The request that is worked on; nil where too many calls still run that were left alone.
  private func takeCurrent() -> RunningCall? {
    state.update { state in
      state.strays.removeAll { $0.hasEnded }
      return state.strays.count < Self.strayLimit ? state.current?.call : nil
    }
  }
}
