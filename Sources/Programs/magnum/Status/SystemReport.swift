internal import MailModel
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// The state of the queues of all users in the system's place, as root sees them.
struct SystemReport {
  private var counts: [EntryState: Int] = [:]
  private var uncopied = 0
  private var problems: [String] = []

  /// Nil for others than root, and where nothing is in these queues.
  init?() {
    guard UserIdentity.effective == 0 else { return nil }
    for outbox in Outbox.shared where outbox.user != 0 { add(outbox) }
    let isEmpty = uncopied == 0 && counts.values.allSatisfy { $0 == 0 }
    guard !problems.isEmpty || !isEmpty else { return nil }
  }

  private mutating func add(_ outbox: Outbox) {
    do throws(SpoolError) {
      let items = try outbox.asUser { () throws(SpoolError) in try outbox.listing().items }
      for item in items {
        if item.isUnseenWithoutCopy { uncopied += 1 }
        if !item.isSentWithoutCopy { counts[item.state, default: 0] += 1 }
      }
    } catch {
      problems.append(error.explanation.what)
    }
  }

  /// Whether something needs a person.
  var needsPerson: Bool { !problems.isEmpty || counts[.failed, default: 0] > 0 }

  var lines: [String] {
    var parts = [SpoolPlace.system.display]
    for (state, word) in [(EntryState.queue, "waiting"), (.failed, "failed"), (.hold, "held")] {
      if let count = counts[state], count > 0 { parts.append("\(count) \(word)") }
    }
    if uncopied > 0 { parts.append(UncopiedWords.count(uncopied)) }
    let hint = needsPerson ? ["    magnum queue list --system says which and why"] : []
    return [parts.joined(separator: "  ")] + problems.map { "    \($0)" } + hint
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("account", SpoolPlace.system.display)
    for (name, state) in [("waiting", EntryState.queue), ("failed", .failed), ("held", .hold)] {
      line.add(name, counts[state] ?? 0)
    }
    if uncopied > 0 { line.add("uncopied", uncopied) }
    line.add("needs", problems)
    return line
  }
}
