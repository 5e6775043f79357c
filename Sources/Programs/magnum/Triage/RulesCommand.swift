internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Platform
internal import Terminal
internal import Triage

/// `magnum rules`: the rules of the configuration: what they are, what they would do, and that they do it.
struct RulesCommand {
  typealias Options = TriageCommand.Options

  private let options: Options
  private let context: CommandContext
  private let configuration: Configuration

  private var console: Console { context.console }

  static var command: CommandDefinition {
    CommandDefinition(
      "rules",
      abstract: "List rules, try them, and sort messages by them.",
      discussion: "Rules are sections [rule.NAME] of the configuration. See magnum-rules(1).",
      subcommands: [
        subcommand("list", "List the rules, and what is wrong with them.", changes: false) {
          (task) throws(Explanation) in try task.list()
        },
        subcommand(
          "try",
          "Print what rules would do, and do nothing.",
          TriageCommand.copies + [
            .flag(
              "--commands",
              sets: \.runsCommands,
              help: "Run the programs of rules (when-command)."
            )
          ],
          isSorting: true,
          changes: false
        ) { (task) throws(Explanation) in try task.sort(isTrial: true) },
        subcommand(
          "run",
          "Sort the messages of a query by rules.",
          TriageCommand.copies + TriageCommand.consent,
          isSorting: true,
          changes: true
        ) { (task) throws(Explanation) in try task.sort(isTrial: task.options.isDryRun) },
      ],
      default: "list"
    )
  }

  private static func subcommand(
    _ name: String,
    _ abstract: String,
    _ options: @autoclosure @escaping () -> [CommandOption<Options>] = [],
    isSorting: Bool = false,
    changes: Bool,
    _ run: @escaping (RulesCommand) throws(Explanation) -> ExitStatus
  ) -> CommandDefinition {
    let sorted = Operands.many(
      "rule query",
      completion: .names(.terms),
      mayBeginWithDash: true
    )
    return CommandDefinition(
      name,
      abstract: abstract,
      discussion: isSorting
        ? "Names of rules come first; without one, all rules for this machine are meant. "
          + "The query is as in magnum-query(7). See magnum-rules(1)." : "",
      initial: Options(),
      globals: isSorting ? [.config, .account, .json, .quiet] : [.config, .json],
      options: options(),
      operands: isSorting ? sorted.beginning(with: .names(.rules)) : .none,
      changes: { options, _ in changes && !options.isDryRun },
      run: { options, context in
        context.withConfiguration { (configuration) throws(Explanation) in
          try run(
            RulesCommand(options: options, context: context, configuration: configuration)
          )
        }
      }
    )
  }

  private func rules(_ names: [String] = []) throws(Explanation) -> RuleSet {
    try RuleSet(names, in: configuration, on: MachineName.current, now: Clock.now())
  }

  // MARK: List

  private func list() throws(Explanation) -> ExitStatus {
    let here = Set(try rules().rules.map(\.settings.name))
    // Those of other machines, too.
    let set = try rules(configuration.rules.map(\.name))
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    let resting = try triage.restingRules()
    let use = try triage.ruleUse(since: Clock.now() - Self.useDays * 86_400)
    var status = ExitStatus.success
    for rule in set.rules {
      let isHere = here.contains(rule.settings.name)
      // A folder that is not there matters where the rule is used.
      let problems = isHere ? try set.problems(of: rule) + resting.problems(of: rule, set) : []
      if !problems.isEmpty { status = .partial }
      if context.globals.json {
        for account in rule.accounts {
          let problem = problems.first { $0.account == account }?.problem
          let count = use.count(of: rule.settings.name, in: account)
          console.print(octets: line(rule.settings, account, isHere, count, problem).octets)
        }
      } else {
        print(rule.settings, rule.accounts, isHere)
        if let words = Self.words(use, rule) { console.print("    \(words)") }
        for (_, problem) in problems { context.report(problem) }
      }
    }
    if set.rules.isEmpty, !context.globals.json {
      console.writeNote("there are no rules; magnum-rules(1) shows some")
    }
    return status
  }

  private func print(_ rule: RuleSettings, _ accounts: [String], _ isHere: Bool) {
    let deeds = rule.deeds.map { Printable.text($0.utf8, limit: 200) }.joined(separator: ", ")
    console.print("\(rule.name)  \(Self.condition(of: rule))")
    var words = [deeds]
    if rule.isLast { words.append("later rules do not see it") }
    if configuration.accounts.count > 1 {
      words.append("in \(accounts.joined(separator: ", "))")
    }
    if !isHere { words.append("not on this machine") }
    console.print("    \(words.joined(separator: "; "))")
  }

  /// The query of a rule, and its program.
  private static func condition(of rule: RuleSettings) -> String {
    let query = Printable.text(rule.when.text.utf8, limit: 400)
    guard !rule.command.isEmpty else { return query }
    let command = Printable.text(rule.command.joined(separator: " ").utf8, limit: 200)
    return query == "*" ? "if \(command)" : "\(query), if \(command)"
  }

  /// How many days back uses are counted.
  private static let useDays: Int64 = 90

  /// How often a rule was used, and when last, in all of its accounts; nil for never.
  private static func words(_ use: RuleUse, _ rule: Rule) -> String? {
    let counts = rule.accounts.compactMap { use.count(of: rule.settings.name, in: $0) }
    guard let last = counts.map(\.last).max() else { return nil }
    let count = counts.reduce(0) { $0 + $1.messages }
    let messages = count == 1 ? "1 message" : "\(count) messages"
    return "\(messages) in \(useDays) days, last \(RelativeDate(now: Clock.now()).text(last))"
  }

  private func line(
    _ rule: RuleSettings,
    _ account: String,
    _ isHere: Bool,
    _ use: RuleUse.Count?,
    _ problem: Explanation?
  ) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("rule", rule.name)
    line.add("account", account)
    line.add("when", rule.when.text)
    if !rule.command.isEmpty { line.add("when-command", rule.command) }
    line.add("do", rule.deeds)
    line.add("stop", rule.isLast)
    line.add("here", isHere)
    line.add("count", use?.messages ?? 0)
    if let use { line.add("last", Int(use.last)) }
    if let problem { line.add("problem", problem.what) }
    return line
  }

  // MARK: Try and run

  private func sort(isTrial: Bool) throws(Explanation) -> ExitStatus {
    let (names, words) = try RuleSet.split(
      context.operands,
      before: context.operandsBeforeDashes,
      in: configuration
    )
    let query = words.isEmpty ? nil : words.joined(separator: " ")
    guard query != nil || isTrial && !options.isDryRun else {
      throw Explanation(
        .usage,
        "no query says which messages are meant",
        hint: "all messages are *"
      )
    }
    let set = try rules(names)
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    let plan = try triage.plan(
      set,
      query,
      accounts: context.globals.accounts,
      options.rules,
      asking: !isTrial || options.runsCommands ? .fully : .never
    )
    reportUnasked(plan)
    for reason in plan.leftOut { context.report(reason) }
    if plan.hasGuesses, !context.globals.quiet {
      context.report("messages are left out that only their subject joins to a thread")
    }
    let complete: ExitStatus = plan.leftOut.isEmpty ? .success : .partial
    var output = TriageOutput("rules", "sorted", configuration, context)
    if isTrial {
      print(plan, output)
      return complete
    }
    if plan.act.steps.isEmpty, plan.act.unchanged == 0 {
      if !context.globals.json, !context.globals.quiet {
        console.print("nothing to do: no rule finds a message")
      }
      return complete
    }
    guard try isConfirmed(plan.act.messages) else {
      console.writeNote("nothing is changed")
      return .partial
    }
    if !context.globals.quiet {
      for tag in LocalTags.first(in: plan.act, configuration) { context.report(local: tag) }
    }
    let command = "rules run \((plan.names + ["--", query ?? ""]).joined(separator: " "))"
    let result = try triage.carryOut(plan.act, command: [UInt8](command.utf8))
    output.rules = { plan.rules(of: plan.act.steps[$0]) }
    return ExitStatus.mostSevere(of: [
      output.print(result, unchanged: plan.act.unchanged), complete,
    ])
  }

  /// Says of programs that they were not run.
  private func reportUnasked(_ plan: RulePlan) {
    guard !context.globals.quiet else { return }
    for (rule, count) in plan.unasked {
      let messages = count == 1 ? "1 message" : "\(count) messages"
      console.writeNote(
        "rule \(rule.settings.name): \(rule.command?.program ?? "") would be run for \(messages); "
          + "magnum rules try --commands does that"
      )
    }
  }

  private func isConfirmed(_ count: Int) throws(Explanation) -> Bool {
    if options.isConfirmed { return true }
    return try context.confirms(count, "Sort \(count == 1 ? "1 message" : "\(count) messages")?")
  }

  /// Prints what would be done: for people a line for each file, with all that its steps change.
  private func print(_ plan: RulePlan, _ output: TriageOutput) {
    guard !context.globals.json else {
      for step in plan.act.steps {
        var line = output.line(step.step, act: nil, state: "planned")
        line.add(rules: plan.rules(of: step))
        console.print(octets: line.octets)
      }
      return
    }
    var lines: [(first: PlannedAct.Step, changes: [String])] = []
    for step in plan.act.steps {
      let change = output.change(step.step)
      if let last = lines.indices.last, lines[last].first.isOfFile(of: step) {
        lines[last].changes.append(change)
      } else {
        lines.append((step, [change]))
      }
    }
    for (step, changes) in lines {
      let rules = plan.rules(of: step).joined(separator: ", ")
      console.print("\(output.text(step.step))  \(changes.joined(separator: " "))  (\(rules))")
    }
    guard !context.globals.quiet else { return }
    let (sorted, rest) = (plan.act.messages, plan.act.unchanged)
    console.writeNote(
      "\(sorted == 1 ? "1 message" : "\(sorted) messages") in all"
        + (rest > 0 ? "; \(rest) found that \(rest == 1 ? "is" : "are") so already" : "")
    )
  }
}
