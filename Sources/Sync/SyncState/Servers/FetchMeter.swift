package import Platform
internal import SyncPlan

/// Counts what is fetched of an account that limits it by the day, for all connections of a run, and in the state home for
/// other runs and programs.
///
/// What two programs note in the same moment may be counted once; nothing but the limit depends on it.
package final class FetchMeter: Sendable {
  private struct Content: Sendable {
    var limit: DailyLimit
    /// Octets that are counted and not in the file.
    var unsaved: UInt64 = 0
  }

  private let memory: Path
  /// Gives the time in seconds since 1970.
  private let clock: @Sendable () -> Int64
  private let content: Monitor<Content>

  /// The meter of an account, which takes up what was counted in its directory of the state home.
  ///
  /// - Parameters:
  ///   - memory: the directory.
  ///   - limit: the octets that may be fetched in a day.
  ///   - clock: gives the time in seconds since 1970; the system's where none is given.
  package init(
    memory: Path,
    limit: UInt64,
    clock: @escaping @Sendable () -> Int64 = { TestTime.ofDays() }
  ) {
    self.memory = memory
    self.clock = clock
    let count = FetchCount(memory)?.fetched
    content = Monitor(Content(limit: DailyLimit(octets: limit, count: count, now: clock())))
  }

  /// The octets that may be fetched in a day.
  package var limit: UInt64 { content.withLock { $0.limit.octets } }
  /// When what waits for another day may be fetched, in seconds since 1970.
  package var resumption: Int64 { content.withLock { $0.limit.dayEnd } }
  /// The octets that were fetched today.
  package var octets: UInt64 { content.withLock { $0.limit.count.octets } }

  /// Whether nothing more may be fetched today.
  package var isReached: Bool {
    let now = clock()
    return content.withLock { $0.limit.isReached(at: now) }
  }

  /// Asks for a message of that size, nil where none was told; false where it is to wait for another day.
  ///
  /// One that was asked for is concluded, whatever becomes of it.
  package func ask(_ size: UInt64?) -> Bool {
    let now = clock()
    return content.withLock { $0.limit.ask(size, at: now) }
  }

  /// A message of that size that was asked for came, or will not come.
  package func finishRequest(_ size: UInt64?) {
    content.withLock { $0.limit.finishRequest(size) }
  }

  /// So many octets came; they are in the file once `save` was called.
  package func addOctets(_ octets: UInt64) {
    let now = clock()
    content.withLock { content in
      content.limit.addOctets(octets, at: now)
      content.unsaved += octets
    }
  }

  /// Writes down what came; durable when it returns.
  ///
  /// What other programs have counted meanwhile is added to it.
  package func save() throws(SystemError) {
    let (memory, now) = (memory, clock())
    try content.withLock { content throws(SystemError) in
      guard content.unsaved > 0 else { return }
      var count = Self.stored(memory, content.limit, now)
      count.fetched.octets += content.unsaved
      try count.save(memory)
      content.limit.replace(count.fetched, at: now)
      content.unsaved = 0
    }
  }

  /// Writes down what a run left for another day; durable when it returns.
  package func noteLeft(messages: UInt64, octets: UInt64) throws(SystemError) {
    let (memory, now) = (memory, clock())
    try content.withLock { content throws(SystemError) in
      var count = Self.stored(memory, content.limit, now)
      guard count.leftMessages != messages || count.leftOctets != octets else { return }
      (count.leftMessages, count.leftOctets) = (messages, octets)
      try count.save(memory)
    }
  }

  /// What the file has of the day that is counted.
  private static func stored(_ memory: Path, _ limit: DailyLimit, _ now: Int64) -> FetchCount {
    let nothing = DailyLimit.Count(day: limit.count.day, octets: 0)
    var count = FetchCount(memory) ?? FetchCount(nothing)
    count.fetched = DailyLimit(octets: limit.octets, count: count.fetched, now: now).count
    return count
  }
}
