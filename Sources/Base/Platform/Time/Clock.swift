internal import CPlatform
internal import Glibc

/// The clocks of the system.
package enum Clock {
  /// The time of day, in seconds since 1970 (UTC).
  package static func now() -> Int64 {
    nowNanoseconds() / 1_000_000_000
  }

  /// The time of day, in nanoseconds since 1970 (UTC).
  package static func nowNanoseconds() -> Int64 {
    read(CLOCK_REALTIME)
  }

  /// Nanoseconds since some moment in the past, by a clock that is never set.
  package static func monotonicNanoseconds() -> Int64 {
    read(CLOCK_MONOTONIC)
  }

  /// Nanoseconds since some moment in the past, by a clock that is never set and that runs on while the machine is suspended.
  package static func bootNanoseconds() -> Int64 {
    magnum_boot_nanoseconds()
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// The clock on the wall: what the system knows of the user's time zone (TZ, /etc/localtime).
package enum LocalTime {
  /// Seconds by which local clocks were ahead of UTC at a moment (seconds since 1970), negative to the west.
  package static func offset(at moment: Int64) -> Int {
    var time = time_t(moment)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return 0 }
    return parts.tm_gmtoff
  }

  /// When the day of a moment began here, in seconds since 1970.
  package static func midnight(before moment: Int64) -> Int64 {
    let local = moment + Int64(offset(at: moment))
    let start = local - ((local % 86_400) + 86_400) % 86_400
    // By the offset of that moment: clocks may have been changed since.
    return start - Int64(offset(at: start - Int64(offset(at: moment))))
  }
}

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
