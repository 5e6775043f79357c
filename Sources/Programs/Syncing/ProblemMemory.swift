internal import Octets
package import Platform
internal import SyncState

/// Decides which standing problems are reported by a run, over all accounts.
package final class ProblemMemory: Sendable {
  private struct Accounts: Sendable {
    var problems: [String: ReportedProblems] = [:]
    var stored: [String: ReportedProblems] = [:]
    var whole: Set<String> = []
  }

  private let stateHome: Path
  private let isWatched: Bool
  private let now: Int64
  private let accounts = Monitor(Accounts())

  /// A memory in the state home; at a terminal, everything is reported and nothing is remembered.
  package init(stateHome: Path, isWatched: Bool, now: Int64) {
    self.stateHome = stateHome
    self.isWatched = isWatched
    self.now = now
  }

  /// Whether a problem is to be reported; always where it has no name, since it may be gone in the next run.
  package func isDue(_ name: String?, of account: String) -> Bool {
    guard !isWatched, let name else { return true }
    return isDueOnce(name, of: account)
  }

  /// The same for what is said once in a day off a terminal, also to who asks for the account.
  func isDueOnce(_ name: String, of account: String) -> Bool {
    accounts.withLock { accounts in
      var problems = accounts.problems[account] ?? load(account, &accounts)
      let isDue = problems.isDue(name, now: now)
      accounts.problems[account] = problems
      return isDue
    }
  }

  /// The account's run looked at everything: problems that it did not find are over.
  package func noteWhole(_ account: String) {
    guard !isWatched else { return }
    accounts.withLock { accounts in
      if accounts.problems[account] == nil { accounts.problems[account] = load(account, &accounts) }
      accounts.whole.insert(account)
    }
  }

  /// Writes down what was reported.
  ///
  /// Where that fails it is reported once more by the next run.
  package func save() {
    accounts.withLock { accounts in
      for (account, problems) in accounts.problems {
        var problems = problems
        if accounts.whole.contains(account) { problems.forgetSolved() }
        guard problems.octets != accounts.stored[account]?.octets else { continue }
        let file = file(account)
        try? FileSystem.makeDirectories(file.parent)
        try? AtomicFile.replace(file, with: problems.octets)
      }
    }
  }

  private func load(_ account: String, _ accounts: inout Accounts) -> ReportedProblems {
    let octets = (try? FileSystem.readFile(file(account), limit: 1 << 20)) ?? nil
    let problems = ReportedProblems(octets ?? [])
    accounts.stored[account] = problems
    return problems
  }

  private func file(_ account: String) -> Path {
    AccountPlaces.memory(named: account, in: stateHome).appending("reported")
  }
}

/// When each standing problem of an account was last reported, as the last run off a terminal left it.
///
/// A standing problem is there in every run until it is dealt with. Off a terminal it is reported once,
/// then once a day: cron sends mail about each report, and where mail cannot be sent that is one failure more.
struct ReportedProblems: Equatable {
  /// Seconds after which a problem is reported again; an hour less than a day, for what runs once a day.
  static let interval: Int64 = 23 * 3600

  private var reported: [String: Int64] = [:]
  private var seen: Set<String> = []

  /// Nothing was reported yet.
  init() {}

  /// The content of the file: a line each, the seconds since 1970, a space, the name of the problem.
  init(_ octets: [UInt8]) {
    for line in octets.split(separator: ASCII.lineFeed) {
      var cursor = Cursor(line)
      guard let time = cursor.decimal(), let time = Int64(exactly: time), cursor.skip(ASCII.space)
      else { continue }
      reported[String(decoding: cursor.takeAll(), as: UTF8.self)] = time
    }
  }

  var octets: [UInt8] {
    Array(reported.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined().utf8)
  }

  /// Whether the problem is to be reported now; it counts as reported then.
  mutating func isDue(_ name: String, now: Int64) -> Bool {
    seen.insert(name)
    // What is older is due, as if it had never been reported.
    reported = reported.filter { $0.value <= now && now - $0.value < Self.interval }
    if reported[name] != nil { return false }
    reported[name] = now
    return true
  }

  /// Forgets the problems that a whole run no longer found, so that they are reported at once when they come back.
  mutating func forgetSolved() {
    reported = reported.filter { seen.contains($0.key) }
  }
}
