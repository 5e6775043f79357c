/// The moment at which waiting ends, by a clock that is never set.
package struct Deadline: Hashable, Sendable {
  /// By ``Clock/monotonicNanoseconds()``; nil never comes.
  let instant: Int64?

  package static let never = Deadline(instant: nil)

  /// This moment.
  package static var now: Deadline { .after(seconds: 0) }

  /// So many seconds from now; at once for zero and less, never for what a century cannot hold.
  package static func after(seconds: Double) -> Deadline {
    guard seconds < 3e9 else { return .never }
    let nanoseconds = seconds > 0 ? Int64(seconds * 1e9) : 0
    return Deadline(instant: Clock.monotonicNanoseconds() + nanoseconds)
  }

  /// The seconds left: 0 once the moment has passed, infinity if it never comes.
  package var remaining: Double {
    guard let nanoseconds = remainingNanoseconds else { return .infinity }
    return Double(nanoseconds) / 1e9
  }

  /// Whether the moment has come.
  package var isPast: Bool { remainingNanoseconds == 0 }

  /// The milliseconds left, rounded up, as poll(2) wants them: -1 for never.
  package var pollMilliseconds: Int32 {
    guard let nanoseconds = remainingNanoseconds else { return -1 }
    return Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
  }

  /// The nanoseconds left, at least 0; nil for never.
  var remainingNanoseconds: Int64? {
    instant.map { max(0, $0 - Clock.monotonicNanoseconds()) }
  }
}

extension Deadline: Comparable {
  /// Whether it comes before another one.
  package static func < (left: Deadline, right: Deadline) -> Bool {
    switch (left.instant, right.instant) {
    case (nil, _): false
    case (_, nil): true
    case (let left?, let right?): left < right
    }
  }
}
