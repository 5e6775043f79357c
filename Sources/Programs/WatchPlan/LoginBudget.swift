/// The log-ins that an account may still make: at most 12 in an hour, in every state and over restarts.
///
/// Time is that of the day, in seconds since 1970, since it is the only clock that goes on over restarts; one that is set back
/// does not give more log-ins.
package struct LoginBudget: Hashable, Sendable {
  /// Log-ins within `period`.
  package static let limit = 12
  /// Seconds.
  package static let period: Int64 = 3600

  /// When the account logged in, in ascending order.
  package private(set) var logins: [Int64]

  /// The budget of an account that logged in at these times.
  package init(_ logins: [Int64] = []) {
    self.logins = logins.sorted().suffix(Self.limit)
  }

  /// Seconds until the next log-in is allowed; 0 where it is allowed now.
  package mutating func delay(now: Int64) -> Int64 {
    clampLogins(now)
    let recent = recent(now)
    guard recent.count >= Self.limit else { return 0 }
    return recent[recent.count - Self.limit] + Self.period - now
  }

  /// How many log-ins are allowed now.
  package mutating func left(now: Int64) -> Int {
    clampLogins(now)
    return Self.limit - recent(now).count
  }

  /// Takes a log-in from the budget; false where none is left.
  package mutating func takeLogin(now: Int64) -> Bool {
    clampLogins(now)
    let recent = recent(now)
    guard recent.count < Self.limit else { return false }
    logins = recent + [now]
    return true
  }

  /// Gives the last log-in back: the server was not reached.
  package mutating func giveBack() {
    _ = logins.popLast()
  }

  /// What lies in the future was before the clock was set back, and counts from now on: an hour from the moment at which that
  /// was seen.
  private mutating func clampLogins(_ now: Int64) {
    if let last = logins.last, last > now { logins = logins.map { min($0, now) } }
  }

  /// Those that count.
  private func recent(_ now: Int64) -> [Int64] {
    logins.filter { now - $0 < Self.period }
  }
}

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
