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
}
