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

  /// Nanoseconds since some moment in the past, by a clock that nobody sets.
  package static func monotonicNanoseconds() -> Int64 {
    read(CLOCK_MONOTONIC)
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
