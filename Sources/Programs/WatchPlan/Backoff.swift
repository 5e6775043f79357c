/// How long to wait before a server is tried again that could not be reached, or that ended the connection.
package struct Backoff: Hashable, Sendable {
  /// Seconds before the first, second … further attempt; the last counts for all after it.
  package static let delays = [5.0, 10, 30, 60, 300]
  /// Seconds that a connection has to work before the attempts are counted anew.
  package static let stability = 600.0
  /// The part of a delay by which it is longer at the most, so that many clients do not come back together.
  package static let spread = 0.2

  private var failures = 0

  /// Nothing failed yet.
  package init() {}

  /// A connection could not be made, or ended; gives the seconds to wait.
  ///
  /// `chance` is from 0 to 1.
  package mutating func fail(chance: Double) -> Double {
    let delay = Self.delays[min(failures, Self.delays.count - 1)]
    failures += 1
    return delay * (1 + Self.spread * chance)
  }

  /// A connection ended that worked for so many seconds.
  package mutating func end(after seconds: Double) {
    if seconds >= Self.stability { failures = 0 }
  }
}
