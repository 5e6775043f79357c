package import MailModel

/// When what was refused for now is tried again, and when no more.
package struct RetrySchedule: Hashable, Sendable {
  /// Seconds to wait after the first attempt, the second, …; after the last of them, always that.
  package var delays: [Int64]

  /// The attempt after which it is reported that a message is late.
  package var attemptsBeforeReport: Int

  /// For how long it is tried, in seconds in which the server could be reached.
  package var lifetime: Int64

  /// The most seconds between two attempts that count as time in which the server could be reached.
  package var longestGap: Int64

  /// What becomes of a message that the server may have or not.
  package var uncertain: UncertainDelivery

  /// 30 s, 1 m, 2 m, 4 m, 8 m, then every 15 m, for a day.
  package static let standard = RetrySchedule(
    delays: [30, 60, 120, 240, 480, 900],
    attemptsBeforeReport: 5,
    lifetime: 86_400,
    longestGap: 3600,
    uncertain: .resend
  )

  /// As `standard`, except for five days: a system's mail is not looked after at once.
  package static let system: RetrySchedule = {
    var schedule = standard
    schedule.lifetime = 5 * 86_400
    return schedule
  }()

  /// The seconds to wait after so many attempts; 0 before the first.
  package func delay(after attempts: Int) -> Int64 {
    guard attempts > 0, let last = delays.last else { return 0 }
    return attempts <= delays.count ? delays[attempts - 1] : last
  }

  /// Whether a moment has come.
  ///
  /// One that is further away than any delay was noted by a clock that has been set back since.
  package func isDue(_ moment: Int64?, now: Int64) -> Bool {
    guard let moment else { return true }
    return moment <= now || moment - now > (delays.max() ?? 0)
  }
}
