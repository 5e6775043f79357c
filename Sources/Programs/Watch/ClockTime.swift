internal import Platform

/// A time of the day as people read it on a clock.
package enum ClockTime {
  /// `14:05`, by the user's time zone, of a moment in seconds since 1970.
  package static func text(_ moment: Int64) -> String {
    let local = moment + Int64(LocalTime.offset(at: moment))
    let minutes = Int(((local % 86_400) + 86_400) % 86_400) / 60
    let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
  }
}
