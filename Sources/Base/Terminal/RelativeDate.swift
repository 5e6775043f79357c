internal import MailModel
internal import Platform

/// A date as a list of mail shows it, the nearer the more exact; as notmuch does.
package struct RelativeDate: Sendable {
  private let now: Int64

  /// Dates as they are seen at a moment, in seconds since 1970.
  package init(now: Int64) {
    self.now = now
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// A moment, in seconds since 1970, in words: `5 mins. ago`, `Yest. 17:05`, `November 21`, `2009-11-18`.
  package func text(_ moment: Int64) -> String {
    let age = now - moment
    if age < 0 { return "the future" }
    if age < 3600 { return "\(age / 60) mins. ago" }
    let ((then, clock), (today, _)) = (local(moment), local(now))
    let time = "\(two(clock / 3600)):\(two(clock / 60 % 60))"
    if age < 7 * 86_400 {
      switch today.days - then.days {
      case 0: return "Today \(time)"
      case 1: return "Yest. \(time)"
      default: return "\(CivilDate.dayNames[then.weekday]). \(time)"
      }
    }
    guard age < 180 * 86_400 else { return then.text }
    return "\(Self.months[then.month - 1]) \(two(then.day))"
  }

  /// The day by the local clock, and the seconds since it began.
  private func local(_ moment: Int64) -> (date: CivilDate, clock: Int) {
    CivilDate.split(Int(moment) + LocalTime.offset(at: moment))
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
