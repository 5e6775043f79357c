package import Configuration
internal import Correspondence
package import MailModel
internal import Platform

extension Triage {
  /// Applies rules to the messages that came to an account since they were applied last.
  ///
  /// Another process that is at it keeps this one from doing anything.
  ///
  /// - Parameters:
  ///   - account: the account, whose index has the messages.
  ///   - set: the rules.
  ///   - store: the list of messages that came.
  ///   - isWhole: whether the sync before came to its end in all mailboxes. Where it did not, a message may have been moved, and
  ///     nothing is done but to take those off the list of which another copy was here before.
  ///   - sorted: takes what is done, also where it throws.
  /// - Throws: why messages are left to the next time; `tryAgain` where another command has the journal.
  package func sortArrivals(
    of account: Account,
    by set: RuleSet,
    _ store: ArrivalStore,
    isWhole: Bool,
    _ sorted: inout SortedArrivals
  ) throws(Explanation) {
    guard let first = try list(of: account, store), !first.open.isEmpty else { return }
    let lock = try explaining(.cannotCreate, place: account.name) { () throws(SystemError) in
      try store.work()
    }
    guard let lock else { return }
    defer { lock.release() }
    guard let list = try list(of: account, store) else { return }
    // First, and not with the first rule that finds something: it may be the act of a rule that was killed, and rules look at what
    // its messages are like.
    if let remainder = try finish()?.remainder { sorted.problems.append(remainder.explanation) }
    let resting = try restingRules()
    sorted.problems += set.rules.compactMap { resting.problem(of: $0, in: account) }
    var sorting = try ArrivalSorting(account, set, self, resting)
    var over: [Arrival] = []
    let located = try sorting.search.locate(list.open, over: &over)
    try finish(over, of: account, store)
    defer { sorted.problems += undecided(sorting.questions, of: account, store) }
    for start in stride(from: 0, to: located.count, by: ArrivalSorting.portion) {
      let portion = Array(located[start..<min(start + ArrivalSorting.portion, located.count)])
      var found = try sorting.search.find(portion)
      if isWhole {
        try sorting.sort(&found.files, &sorted)
        found.over += found.files.filter { !$0.hasFailed && !$0.isWaiting }.map(\.arrival)
      }
      try finish(found.over, of: account, store)
    }
  }

  private func list(
    of account: Account,
    _ store: ArrivalStore
  ) throws(Explanation) -> ArrivalList? {
    try explaining(.noInput, place: account.name) { () throws(SystemError) in try store.list() }
  }

  /// What is to be said of programs that gave no answer, unless it was said within a day.
  private func undecided(
    _ questions: RuleQuestions,
    of account: Account,
    _ store: ArrivalStore
  ) -> [Explanation] {
    let problems = questions.problems
    // What cannot be noted is said again.
    let new = try? store.noteUndecided(problems.map(\.rule), now: TestTime.ofDays())
    return problems.filter { new?.contains($0.rule) ?? true }.map(\.problem)
  }

  private func finish(
    _ arrivals: [Arrival],
    of account: Account,
    _ store: ArrivalStore
  ) throws(Explanation) {
    try explaining(.cannotCreate, place: account.name) { () throws(SystemError) in
      try store.finish(arrivals)
    }
  }
}
