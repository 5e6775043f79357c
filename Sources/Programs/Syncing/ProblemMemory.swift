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
