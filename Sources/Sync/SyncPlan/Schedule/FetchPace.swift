/// Decides how much a connection is to fetch next of a mailbox that several may fetch from, and whether one more is wanted.
///
/// The second is wanted where the rest would take long at the rate of the first, a further one where the last brought
/// something. Times are nanoseconds of a clock that never goes back.
package struct FetchPace: Sendable {
  /// How long a number of connections is watched before anything is made of their rate, by default.
  package static let usualWatch: Int64 = 1_000_000_000
  /// Messages that are asked for at once, at most and before anything came.
  private static let most = 125
  private static let first = 32
  /// Octets that are asked for at once, at least and at most: what comes in a quarter of a second.
  private static let octets = 64e3...1e6
  private static let portion = 250e6

  /// What a message costs beyond its octets.
  private static let overhead: UInt64 = 1024

  private let watch: Int64
  /// Octets that are still to come, of messages whose sizes were told.
  private var rest: UInt64
  /// Messages that are still to come and whose sizes were not told.
  private var unsized: Int
  private var came: (messages: UInt64, octets: UInt64) = (0, 0)
  /// Octets that came since the last connection joined, and when it did; nil before anything came.
  private var current: (octets: UInt64, since: Int64)?
  /// Octets in a nanosecond before that; nil as long as there is one connection.
  private var before: Double?
  /// Whether a further connection was asked for that has not joined.
  private var isAsking = false

  /// The pace of a fetch of messages of these sizes, nil where one was not told.
  ///
  /// `watch` is how long a number of connections is watched before anything is made of their rate.
  package init(_ sizes: some Sequence<UInt64?>, watch: Int64 = Self.usualWatch) {
    self.watch = watch
    (rest, unsized) = sizes.reduce(into: (0, 0)) { sum, size in
      if let size { sum.0 += size + Self.overhead } else { sum.1 += 1 }
    }
  }

  /// A message came, whose size was told before or not.
  package mutating func recordMessage(octets: UInt64, wasSized: Bool, at now: Int64) {
    let cost = octets + Self.overhead
    came = (came.messages + 1, came.octets + cost)
    if wasSized { rest -= min(rest, cost) } else { unsized -= min(unsized, 1) }
    // The first only begins the measure: what it took to come belongs to the round trip before it.
    current = current.map { ($0.octets + cost, $0.since) } ?? (0, now)
  }

  /// What is asked for next: so many messages and octets, where one whose size was not told counts as so many.
  package struct Portion: Hashable, Sendable {
    /// Messages at most.
    package let messages: Int
    /// Octets at most, except for the first message.
    package let octets: UInt64
    /// What a message counts whose size was not told.
    package let usual: UInt64
  }

  /// What a connection is to ask for next; it has a few of these on their way at once.
  package func portion(at now: Int64) -> Portion {
    guard let current, came.messages > 0 else {
      return Portion(messages: Self.first, octets: UInt64(Self.octets.upperBound), usual: 0)
    }
    let rate = Double(current.octets) / Double(max(1, now - current.since))
    let octets = max(Self.octets.lowerBound, min(Self.octets.upperBound, rate * Self.portion))
    return Portion(
      messages: Self.most,
      octets: UInt64(octets),
      usual: came.octets / came.messages
    )
  }

  /// Octets that are still to come; the messages whose sizes were not told are as large as those that came.
  private var remaining: Double {
    let mean = Double(came.octets) / Double(max(1, came.messages))
    return Double(rest) + Double(unsized) * mean
  }

  /// Whether a further connection is wanted now; true once for each.
  ///
  /// It costs a log-in: without it, what is left has to take twice as long as was watched.
  package mutating func asksForAnother(at now: Int64) -> Bool {
    guard !isAsking, let current, now >= current.since + watch else { return false }
    let rate = Double(current.octets) / Double(max(1, now - current.since))
    // The last has to have brought a fifth.
    if let before, rate < 1.2 * before { return false }
    guard remaining > rate * 2 * Double(watch) else { return false }
    (isAsking, before) = (true, rate)
    return true
  }

  /// The connection that was asked for fetches now.
  package mutating func join() {
    guard isAsking else { return }
    (isAsking, current) = (false, nil)
  }
}
