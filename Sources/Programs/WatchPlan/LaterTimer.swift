/// When a watch has to look at what is to be done about messages at their time.
///
/// That is told by the clock that people set, so that a time is the one on their clocks, whatever was suspended or set meanwhile.
package struct LaterTimer: Hashable, Sendable {
  /// The most seconds until the next look where there is anything to do: another program may have changed its time, and
  /// not every system tells that the clock was set.
  static let interval: Int64 = 60
  /// Seconds until what could not be done is tried again.
  static let pause: Int64 = 10

  /// When it is looked, in seconds since 1970; nil for never.
  private var due: Int64?
  /// When that was decided.
  private var begin: Int64 = 0

  /// Never, as long as nothing is set.
  package init() {}

  /// Has it looked in so many seconds, or not at all; 0 where something is due that was not done.
  package mutating func set(delay: Double?, now: Int64) {
    begin = now
    due = delay.map { now + ($0 > 0 ? min(Int64($0.rounded(.up)), Self.interval) : Self.pause) }
  }

  /// Whether it is to be looked now: also where the clock was set back behind the last look.
  package func isDue(now: Int64) -> Bool {
    guard let due else { return false }
    return due <= now || now < begin
  }

  /// Seconds until it is to be looked; nil for never.
  package func delay(now: Int64) -> Double? {
    guard due != nil else { return nil }
    return isDue(now: now) ? 0 : due.map { Double($0 - now) }
  }
}
