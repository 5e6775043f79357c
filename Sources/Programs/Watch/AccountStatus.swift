internal import Platform
internal import WatchPlan

/// How the thread of a watched account stands, for those that look after it.
final class AccountStatus: Sendable {
  /// What it does.
  enum Phase: Hashable, Sendable {
    case starting, syncing, listening, waiting, ended
  }

  /// Seconds without a sign from a sync after which it counts as hung, and by which a wait may be late.
  private static let limits = (sync: 900.0, wait: 120.0)

  private struct State: Sendable {
    var phase = Phase.starting
    var deadline: Moment?
    var hasSettled = false
  }

  /// What work of a sync gives signs of, besides what it tells: octets that go to and come from servers, mail that is indexed.
  let heartbeat = Heartbeat()

  private let state = Monitor(State())

  var phase: Phase { state.withLock { $0.phase } }

  /// Whether its server was reached, or found to be out of reach, at least once.
  var hasSettled: Bool { state.withLock { $0.hasSettled } }

  /// Whether it gave a sign as it should.
  func isAlive(now: Moment) -> Bool {
    let limit = Moment(bootNanoseconds: heartbeat.last) + Self.limits.sync
    return state.withLock { state in
      guard let deadline = state.deadline else { return true }
      return now < (state.phase == .syncing ? max(deadline, limit) : deadline)
    }
  }

  /// A sync gives a sign; a first one may take hours once the server is reached.
  func noteSync(hasReachedServer: Bool = false) {
    let deadline = Moment.now + Self.limits.sync
    state.withLock { state in
      if hasReachedServer { state.hasSettled = true }
      state.phase = .syncing
      state.deadline = deadline
    }
  }

  /// It waits until then.
  func noteWait(_ phase: Phase, until: Moment) {
    state.update { state in
      state.phase = phase
      state.deadline = until + Self.limits.wait
      state.hasSettled = true
    }
  }

  /// It came to its end.
  func noteEnd() {
    state.update { state in
      (state.phase, state.deadline, state.hasSettled) = (.ended, nil, true)
    }
  }

  /// Waits for its end; false where the deadline came first.
  func waitForEnd(_ deadline: Deadline) -> Bool {
    state.wait(deadline: deadline) { $0.phase == .ended }
  }
}

extension Moment {
  /// The moment at which ``Clock/bootNanoseconds()`` shows that time.
  init(bootNanoseconds: Int64) {
    self.init(milliseconds: bootNanoseconds / 1_000_000 * TestTime.watchPace)
  }

  /// This moment.
  static var now: Moment { Moment(bootNanoseconds: Clock.bootNanoseconds()) }

  /// The same for waits, which do not go on while the machine is suspended.
  var deadline: Deadline { .after(seconds: Self.wait(self - .now)) }

  /// The seconds to wait for so many seconds to pass by this clock.
  static func wait(_ seconds: Double) -> Double { seconds / Double(TestTime.watchPace) }
}
