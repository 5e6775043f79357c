internal import Platform

/// A date as a list of mail shows it, the nearer the more exact; as notmuch does.
package struct RelativeDate: Sendable {
  private let now: Int64

  /// Dates as they are seen at a moment, in seconds since 1970.
  package init(now: Int64) {
    self.now = now
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// A moment, in seconds since 1970, in words: `5 mins. ago`, `Yest. 17:05`, `November 21`, `2009-11-18`.
  package func text(_ moment: Int64) -> String {
    let age = now - moment
    if age < 0 { return "the future" }
    if age < 3600 { return "\(age / 60) mins. ago" }
    let (then, today) = (LocalDate(moment), LocalDate(now))
    if age < 7 * 86_400 {
      switch today.day - then.day {
      case 0: return "Today \(then.clock)"
      case 1: return "Yest. \(then.clock)"
      default: return "\(Self.days[then.weekday]). \(then.clock)"
      }
    }
    if age < 180 * 86_400 {
      return "\(Self.months[then.month - 1]) \(LocalDate.two(then.dayOfMonth))"
    }
    return then.date
  }
}
