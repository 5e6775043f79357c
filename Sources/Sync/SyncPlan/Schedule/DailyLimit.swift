/// Decides whether one more message may be fetched, where an account limits what is fetched in a day.
///
/// Days are those of UTC. A message may be fetched as long as the limit is not reached, however large it is: the last message of a
/// day may pass the limit, and each day brings one at least. So the largest message comes too, whatever comes before it.
package struct DailyLimit: Hashable, Sendable {
  /// What was fetched in a day.
  package struct Count: Hashable, Sendable {
    /// Days since 1 January 1970 (UTC).
    package var day: Int64
    /// Octets of messages.
    package var octets: UInt64

    package init(day: Int64, octets: UInt64) {
      self.day = day
      self.octets = octets
    }
  }

  private static let secondsOfDay: Int64 = 86_400
  /// What counts for a message on its way whose size was not told.
  private static let usualSize: UInt64 = 64 << 10
  /// No message counts more than this, so that no size that a server tells makes a sum overflow.
  private static let largestSize: UInt64 = 1 << 40

  /// Octets that may be fetched in a day.
  package let octets: UInt64
  /// What was fetched in the day that is counted.
  package private(set) var count: Count
  /// Octets of messages that were asked for and have not come.
  private var asked: UInt64 = 0

  /// A limit of so many octets; `count` is what was counted last, nil where nothing was.
  package init(octets: UInt64, count: Count?, now: Int64) {
    self.octets = octets
    self.count = count ?? Count(day: now / Self.secondsOfDay, octets: 0)
    turn(now)
  }

  /// Whether nothing more may be fetched in the day of `now` (seconds since 1970).
  package func isReached(at now: Int64) -> Bool {
    var limit = self
    limit.turn(now)
    return limit.count.octets + limit.asked >= octets
  }

  /// Asks for a message of that size, nil where none was told; false where it is to wait for another day.
  package mutating func ask(_ size: UInt64?, at now: Int64) -> Bool {
    turn(now)
    guard count.octets + asked < octets else { return false }
    asked += Self.cost(size)
    return true
  }

  /// A message of that size that was asked for came, or will not come.
  package mutating func finishRequest(_ size: UInt64?) {
    asked -= min(asked, Self.cost(size))
  }

  /// So many octets came.
  package mutating func addOctets(_ octets: UInt64, at now: Int64) {
    turn(now)
    count.octets += min(octets, Self.largestSize)
  }

  /// Others fetched too: so much is counted by now.
  package mutating func replace(_ count: Count, at now: Int64) {
    self.count = count
    turn(now)
  }

  /// When the day that is counted ends, in seconds since 1970.
  package var dayEnd: Int64 { (count.day + 1) * Self.secondsOfDay }

  /// Begins the count of another day.
  ///
  /// Where a clock was set back over the end of a day, that goes on; a count of a day that is further ahead is that of a clock
  /// that was wrong.
  private mutating func turn(_ now: Int64) {
    let today = now / Self.secondsOfDay
    guard count.day != today, count.day != today + 1 else { return }
    count = Count(day: today, octets: 0)
  }

  private static func cost(_ size: UInt64?) -> UInt64 { min(size ?? usualSize, largestSize) }
}
