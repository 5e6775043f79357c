internal import Glibc

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
