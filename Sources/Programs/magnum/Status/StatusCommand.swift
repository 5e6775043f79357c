internal import MailModel
internal import CommandLine
internal import Configuration
internal import Glibc
internal import Platform
internal import Spool
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
