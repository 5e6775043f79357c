internal import AgentPlan
internal import Platform

/// Runs the calls of a client one by one, each on a thread of its own, which is left alone where it takes too long.
///
/// Whether the client still waits for a call stands here alone.
final class CallRunner: Sendable {
  /// A call, as long as its thread runs.
  private final class Call: Sendable {
    enum Phase: Sendable {
      /// The client waits for it.
      case wanted
      /// The client no longer wants an answer, and the runner waits for its end.
      case cancelled
      /// It took too long: nothing waits for its end.
      case left
      /// It has ended; nil where there is no answer.
      case ended(ToolOutcome?)

      var isWanted: Bool { if case .wanted = self { true } else { false } }
      var hasEnded: Bool { if case .ended = self { true } else { false } }
    }

    let id: RequestID
    private let phase = Monitor(Phase.wanted)

    init(_ id: RequestID) {
      self.id = id
    }

    var isWanted: Bool { phase.withLock { $0.isWanted } }
    var hasEnded: Bool { phase.withLock { $0.hasEnded } }

    func cancel() {
      phase.update { phase in
        if phase.isWanted { phase = .cancelled }
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
    /// - Returns: whether the client waited for it until then; nil where it has just ended.
    func leave() -> Bool? {
      phase.update { phase in
        if phase.hasEnded { return nil }
        defer { phase = .left }
        return phase.isWanted
      }
    }
  }

  private struct State: Sendable {
    /// The request that is worked on.
    var current: Call?
    /// Calls that were left alone and may still run.
    var strays: [Call] = []
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
  func begin(_ id: RequestID) { state.update { $0.current = Call(id) } }

  /// Has the request that is worked on go without an answer, where it is that one.
  func cancel(_ id: RequestID) {
    if let call = state.withLock({ $0.current }), call.id == id { call.cancel() }
  }

  /// Runs the call of the request that is worked on.
  ///
  /// - Parameters:
  ///   - isChanging: whether it changes something: then it is finished, however long it takes.
  ///   - isEnding: whether the program has to end.
  ///   - body: does the call; it gets what tells whether there is no use for the answer.
  /// - Returns: what it came to; nil where no answer is wanted.
  func run(
    isChanging: Bool,
    isEnding: () -> Bool,
    _ body: @escaping @Sendable (_ isUnwanted: () -> Bool) -> ToolOutcome?
  ) -> ToolOutcome? {
    guard let call = takeCurrent() else { return .failed(.again) }
    do throws(SystemError) {
      _ = try Thread.spawn(name: "call", stackSize: Self.stackSize) {
        call.end(body { !call.isWanted })
      }
    } catch {
      return .failed(.again)
    }
    let deadline = Deadline.after(seconds: limit)
    while true {
      if let outcome = call.outcome(within: min(Self.glance, limit)) { return outcome }
      if isChanging { continue }
      if isEnding() { return nil }
      guard deadline.isPast, let wasWanted = call.leave() else { continue }
      state.update { $0.strays.append(call) }
      return wasWanted ? .failed(.again) : nil
    }
  }

  /// The request that is worked on; nil where too many calls still run that were left alone.
  private func takeCurrent() -> Call? {
    state.update { state in
      state.strays.removeAll { $0.hasEnded }
      return state.strays.count < Self.strayLimit ? state.current : nil
    }
  }
}
