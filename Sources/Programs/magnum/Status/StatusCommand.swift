internal import CommandLine
internal import Configuration
internal import Glibc
internal import MailModel
internal import Outgoing
internal import Platform
internal import Spool
internal import SpoolPlan
internal import Submission
internal import Terminal

/// `magnum status`.
enum StatusCommand {
  static var command: CommandDefinition {
    CommandDefinition(
      "status",
      abstract: "Show the state of all accounts, and what needs attention.",
      discussion:
        "No server is asked: it is what the files say. The status is 1 if something needs a person. "
        + "See magnum-status(1).",
      initial: NoOptions(),
      globals: [.config, .account, .json, .quiet, .verbose],
      options: [],
      operands: .many("account", completion: .names(.accounts)),
      changes: { _, _ in false },
      run: { _, context in context.withConfiguration { showStatus(context, $0) } }
    )
  }

  private static func showStatus(_ context: CommandContext, _ configuration: Configuration)
    -> ExitStatus
  {
    let outboxes = SpoolPlace.roots().map { Outbox(root: $0, user: geteuid()) }
    let accounts = AccountNames(context, in: configuration)
    var (names, status) = (accounts.names, accounts.status)
    // Mail of an account that is no longer in the configuration must not be forgotten.
    let spools = outboxes.flatMap { (try? $0.spools().map(\.account)) ?? [] }
    if context.accountsNamed.isEmpty {
      for name in spools where !names.contains(name) { names.append(name) }
    }
    for name in names {
      let report = StatusReport(name, configuration, outboxes)
      show(report, context)
      if report.needsPerson { status = ExitStatus.mostSevere(of: [status, .partial]) }
    }
    if context.accountsNamed.isEmpty, let report = SystemReport() {
      if context.globals.json {
        context.console.print(octets: report.json.octets)
      } else if !context.globals.quiet {
        for line in report.lines { context.console.print(line) }
      }
      if report.needsPerson { status = ExitStatus.mostSevere(of: [status, .partial]) }
    }
    if context.globals.verbose, !context.globals.json, !context.globals.quiet {
      for line in companions { context.console.print(line) }
    }
    return status
  }

  /// What is loaded or run once it is needed, a line each.
  private static var companions: [String] {
    Companion.all.map { companion in
      let least = companion.version == "0" ? "" : " \(companion.version) or later"
      return "uses \(companion.name)\(least) for \(companion.purpose): "
        + (companion.isFound ? "found" : "not found (Debian: \(companion.package))")
    }
  }

  private static func show(_ report: StatusReport, _ context: CommandContext) {
    if context.globals.json { return context.console.print(octets: report.json.octets) }
    guard !context.globals.quiet else { return }
    for line in report.lines { context.console.print(line) }
  }
}

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
