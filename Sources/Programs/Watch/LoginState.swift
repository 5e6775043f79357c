package import Configuration
internal import Octets
package import Platform
internal import SyncState
internal import WatchPlan

/// The log-ins of a watched account, in a file of the state home, so that their number is limited over restarts.
///
/// Shared by the threads of a sync.
package final class LoginState: Sendable {
  /// Log-ins that an account makes in an hour at the most.
  package static let limit = LoginBudget.limit

  private let file: Path
  private let budget: Monitor<LoginBudget>
  private let now: @Sendable () -> Int64

  /// The log-ins of an account; `memory` is its directory in the state home, `now` the time of the day in seconds since 1970.
  ///
  /// A file that cannot be read counts as empty.
  package init(_ memory: Path, now: @escaping @Sendable () -> Int64 = { Clock.now() }) {
    file = memory.appending("logins")
    self.now = now
    let octets = (try? FileSystem.readFile(file, limit: 1 << 16)) ?? nil
    let times = (octets ?? []).split(separator: ASCII.lineFeed).compactMap { line -> Int64? in
      var cursor = Cursor(line)
      return cursor.decimal().flatMap { Int64(exactly: $0) }
    }
    budget = Monitor(LoginBudget(times))
  }

  /// That of an account, by its name, in a state home.
  package convenience init(of account: Account, in stateHome: Path) {
    self.init(AccountPlaces.memory(of: account, in: stateHome))
  }

  /// Why no log-in is allowed now, for people; nil where one is.
  package var words: String? {
    let delay = delay
    guard delay > 0 else { return nil }
    let time = ClockTime.text(now() + Int64(delay.rounded(.up)))
    return "\(LoginBudget.limit) log-ins in the last hour, waits until \(time)"
  }

  /// Seconds until a log-in is allowed.
  package var delay: Double { Double(asked { $0.delay(now: $1) }) }

  /// How many log-ins are allowed now.
  package var left: Int { asked { $0.left(now: $1) } }

  /// Takes a log-in that is about to be made from the budget; false where none is allowed.
  package func takeLogin() -> Bool {
    budget.withLock { budget in
      guard budget.takeLogin(now: now()) else { return false }
      save(budget)
      return true
    }
  }

  /// The log-in did not come about: the server was not reached.
  package func giveBack() {
    budget.withLock { budget in
      budget.giveBack()
      save(budget)
    }
  }

  /// Asks the budget something, and keeps what changes by that: where the clock was set back, a restart would count an hour
  /// anew.
  private func asked<Answer>(_ question: (inout LoginBudget, Int64) -> Answer) -> Answer {
    budget.withLock { budget in
      let before = budget
      let answer = question(&budget, now())
      if budget != before { save(budget) }
      return answer
    }
  }

  /// Not durable: after a crash of the system there may be a few log-ins more.
  private func save(_ budget: LoginBudget) {
    let lines = budget.logins.flatMap { [UInt8](decimal: UInt64(max(0, $0))) + [ASCII.lineFeed] }
    try? FileSystem.makeDirectories(file.parent)
    try? AtomicFile.replace(file, with: lines)
  }
}
