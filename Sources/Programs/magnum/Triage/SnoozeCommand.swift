internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import SearchIndex
internal import SpoolPlan
internal import Terminal
internal import Triage

/// `magnum snooze`: messages go out of sight until a time, and come back to the inbox then.
struct SnoozeCommand {
  private let options: TriageCommand.Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "snooze",
      abstract: "Put messages out of sight until a time.",
      discussion: "They come back to INBOX, unread, by magnum watch or the next magnum-sync. "
        + "Messages are named as for magnum archive. See magnum-snooze(1).",
      initial: TriageCommand.Options(),
      globals: [.config, .account, .json, .quiet],
      options: [
        .text(
          "--until",
          value: "time",
          sets: \.time,
          help: "When they come back, such as 18:30, +2d or 2026-12-24."
        ),
        .flag("--list", sets: \.isList, help: "List snoozed messages."),
        .flag("--cancel", sets: \.isCancel, help: "Move snoozed messages back to INBOX now."),
      ] + TriageCommand.options,
      operands: .many("message", completion: .namesOrFiles(.terms), mayBeginWithDash: true),
      check: { (options, line) throws(UsageMistake) in
        try TriageCommand.checkLater(options, line.operands, "--until")
      },
      changes: { options, _ in !options.isList && !options.isDryRun },
      run: { options, context in
        SnoozeCommand(options: options, context: context).snoozeMessages()
      }
    )
  }

  private func snoozeMessages() -> ExitStatus {
    context.reporting { () throws(Explanation) in
      if options.isList { return try list() }
      if options.isCancel { return try cancel() }
      let time = try ScheduledTime([UInt8]((options.time ?? "").utf8))
      let request = try LaterRequest(
        .snooze,
        at: time.moment,
        now: Clock.now(),
        Environment.stateHome
      )
      return TriageTask(
        .snooze,
        options,
        context,
        context.operands,
        later: request,
        past: "snoozed until \(time.text)"
      ).run()
    }
  }

  /// Moves messages back, and only then removes what was to be done about them.
  private func cancel() throws(Explanation) -> ExitStatus {
    let status = TriageTask(.unsnooze, options, context, context.operands).run()
    guard !options.isDryRun else { return status }
    let configuration = try context.neededConfiguration()
    for account in configuration.accounts {
      let work = LaterWork(configuration, account, stateHome: Environment.stateHome)
      // Where another command is at work, the next sync does it.
      do throws(Explanation) {
        try work.removeWhatIsOver()
      } catch  where error.status != .tryAgain {
        context.report(error)
      } catch {}
    }
    return status
  }

  // MARK: List

  private func list() throws(Explanation) -> ExitStatus {
    let configuration = try context.neededConfiguration()
    let accounts = try configuration.accounts(named: context.globals.accounts)
    var count = 0
    for account in accounts {
      let work = LaterWork(configuration, account, stateHome: Environment.stateHome)
      for snoozed in try work.snoozed() {
        count += 1
        let summary = MessageSummary(snoozed.message.maildir, snoozed.message.file)
        if context.globals.json {
          context.console.print(octets: line(account, snoozed, summary).octets)
        } else {
          context.console.print(text(account, snoozed, summary, isOnly: accounts.count == 1))
        }
      }
    }
    if count == 0, !context.globals.json, !context.globals.quiet {
      context.console.writeNote("there are no snoozed messages")
    }
    return .success
  }

  private func line(
    _ account: Account,
    _ snoozed: LaterWork.Snoozed,
    _ summary: MessageSummary?
  ) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("kind", "snooze")
    line.add("account", account.name)
    line.add("folder", snoozed.message.folder)
    if let due = snoozed.due {
      line.add("due", octets: Timestamp.octets(due))
    } else {
      line.add("elsewhere", true)
    }
    guard let summary else { return line }
    if let id = summary.id { line.add("id", octets: id) }
    line.add("file", octets: summary.path.octets)
    if let from = summary.from { line.add("from", octets: from) }
    if let subject = summary.subject { line.add("subject", octets: subject) }
    return line
  }

  private func text(
    _ account: Account,
    _ snoozed: LaterWork.Snoozed,
    _ summary: MessageSummary?,
    isOnly: Bool
  ) -> String {
    let due = snoozed.due.map { ScheduledTime.local($0) } ?? "by another machine"
    let words = [
      isOnly ? nil : Printable.text(account.name.utf8, limit: 40), due,
      summary?.from.map { Printable.text($0, limit: 40) },
      summary?.subject.map { Printable.text($0, limit: 100) },
      summary?.id.map { "id:\(Printable.text($0))" },
    ]
    return words.compactMap { $0 }.joined(separator: "  ")
  }
}
