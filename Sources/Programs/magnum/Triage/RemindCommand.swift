internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Outgoing
internal import Platform
internal import SpoolPlan
internal import Terminal
internal import Triage

/// `magnum remind`: reminds a person of sent messages that get no answer in time.
struct RemindCommand {
  private let options: TriageCommand.Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "remind",
      abstract: "Wait for answers to sent messages.",
      discussion: "A message without an answer by then is flagged and tagged remind. "
        + "Messages are named as for magnum archive. See magnum-snooze(1).",
      initial: TriageCommand.Options(),
      globals: [.config, .account, .json, .quiet],
      options: [
        .text(
          "--in",
          value: "time",
          sets: \.time,
          help: "How long an answer is waited for, such as 3d or 12h."
        ),
        .flag("--list", sets: \.isList, help: "List the messages that answers are waited for."),
        .flag("--cancel", sets: \.isCancel, help: "Wait for no answer any longer."),
      ] + TriageCommand.consent,
      operands: .many("message", completion: .namesOrFiles(.terms), mayBeginWithDash: true),
      check: { (options, line) throws(UsageMistake) in
        try TriageCommand.checkLater(options, line.operands, "--in")
      },
      changes: { options, _ in !options.isList && !options.isDryRun },
      run: { options, context in
        RemindCommand(options: options, context: context).remindOfMessages()
      }
    )
  }

  private func remindOfMessages() -> ExitStatus {
    context.reporting { () throws(Explanation) in
      if options.isList { return try list() }
      let edit = try TagEdit([options.isCancel ? "-waiting" : "+waiting"])
      let (request, past) = try request()
      return TriageTask(
        .tag(edit),
        options,
        context,
        context.operands,
        later: request,
        past: past
      ).run()
    }
  }

  /// What is recorded or removed, and what that is in words.
  private func request() throws(Explanation) -> (LaterRequest, past: String) {
    guard let time = options.time else {
      let request = LaterRequest(cancelling: .remind, Environment.stateHome)
      return (request, "no longer waiting for an answer")
    }
    let (request, text) = try LaterRequest.waiting(time)
    return (request, "waiting for an answer until \(text)")
  }

  // MARK: List

  private func list() throws(Explanation) -> ExitStatus {
    let configuration = try context.neededConfiguration()
    var count = 0
    for account in try configuration.accounts(named: context.globals.accounts) {
      let work = LaterWork(configuration, account, stateHome: Environment.stateHome)
      for reminder in try work.reminders() {
        count += 1
        if context.globals.json {
          context.console.print(octets: Self.line(account, reminder).octets)
        } else {
          let subject = Printable.text(reminder.subject, limit: 100)
          let id = "id:\(Printable.text(reminder.id))"
          context.console.print("\(ScheduledTime.local(reminder.due))  \(subject)  \(id)")
        }
      }
    }
    if count == 0, !context.globals.json, !context.globals.quiet {
      context.console.writeNote("no answer is waited for")
    }
    return .success
  }

  private static func line(_ account: Account, _ reminder: LaterWork.Reminder) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("kind", "remind")
    line.add("account", account.name)
    line.add("due", octets: Timestamp.octets(reminder.due))
    line.add("id", octets: reminder.id)
    if !reminder.subject.isEmpty { line.add("subject", octets: reminder.subject) }
    return line
  }
}

extension LaterRequest {
  /// What `3d` means for how long an answer is waited for, with the time for people.
  ///
  /// - Throws: that it means no time, or one too far away.
  static func waiting(_ text: String) throws(Explanation) -> (request: LaterRequest, text: String) {
    let isPlain = text.utf8.first.map { ASCII.isDigit($0) } ?? false
    let isDelay = isPlain && text.utf8.last.map { !ASCII.isDigit($0) } ?? false
    let time = try ScheduledTime([UInt8](((isDelay ? "+" : "") + text).utf8))
    let request = try LaterRequest(
      .remind,
      at: time.moment,
      now: Clock.now(),
      Environment.stateHome
    )
    return (request, time.text)
  }
}
