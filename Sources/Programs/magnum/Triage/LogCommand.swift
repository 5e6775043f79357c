internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Platform
internal import Terminal
internal import Triage

/// `magnum log`: what commands did to messages, the newest first.
struct LogCommand {
  struct Options {
    var limit = 20
    /// The agent whose calls are listed; nil for acts.
    var agent: String?
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "log",
      abstract: "List past acts on messages.",
      discussion: "With a number, each message of that act. See magnum-triage(1).",
      initial: Options(),
      globals: [.config, .json],
      options: [
        .number("--limit", sets: \.limit, help: "List at most so many; 20 by default."),
        .text(
          "--agent",
          value: "name",
          completion: .names(.agents),
          sets: \.agent,
          help: "List the calls of this agent instead."
        ),
      ],
      operands: .atMostOne("number"),
      check: { (options, line) throws(UsageMistake) in
        for word in line.operands where Int(word) == nil {
          throw UsageMistake("\"\(word)\" is not the number of an act")
        }
        guard options.limit > 0 else { throw UsageMistake("--limit needs a number from 1 on") }
        if options.agent != nil, !line.operands.isEmpty {
          throw UsageMistake("--agent and the number of an act do not go together")
        }
      },
      changes: { _, _ in false },
      run: { options, context in LogCommand(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    if let agent = options.agent {
      return context.reporting { () throws(Explanation) in
        try AgentLog(agent, context).printCalls(limit: options.limit)
      }
    }
    return context.withConfiguration { (configuration) throws(Explanation) in
      let triage = Triage(configuration, stateHome: Environment.stateHome)
      guard let number = context.operands.first.flatMap({ Int($0) }) else {
        for act in try triage.acts(atLeast: options.limit).prefix(options.limit) { print(act) }
        return .success
      }
      guard let act = try triage.acts(atLeast: .max).first(where: { $0.act.number == number })
      else { throw Explanation(.partial, "there is no act \(number)") }
      printSteps(act, TriageOutput("log", "", configuration, context))
      return .success
    }
  }

  private func print(_ act: RecordedAct) {
    if context.globals.json { return context.console.print(octets: line(act).octets) }
    let date = RelativeDate(now: Clock.now()).text(act.act.time)
    let count = act.act.fileCount
    let words = Printable.text(act.act.command, limit: 120)
    let standing = Self.words(act).map { "  (\($0))" } ?? ""
    context.console.print(
      "\(act.act.number)  \(date)  \(words)  \(count == 1 ? "1 message" : "\(count) messages")\(standing)"
    )
  }

  /// Who asked for an act, and how it stands; nil where a person did, and it is simply done.
  private static func words(_ act: RecordedAct) -> String? {
    var words: [String] = []
    switch act.act.origin {
    case .person: break
    case .agent(let name): words.append("by the agent \(Printable.text(name.utf8, limit: 40))")
    case .rule(let name): words.append("by the rule \(Printable.text(name.utf8, limit: 40))")
    case .program(let word): words.append("by \(Printable.text(word, limit: 80))")
    }
    if !act.isDone { words.append("cut short: the next command or sync finishes it") }
    if let other = act.undoneBy {
      words.append("undone \(act.standing.isEmpty ? "by" : "in part by") \(other)")
    }
    if !act.left.isEmpty { words.append("\(act.leftCount) not done") }
    if !act.returned.isEmpty { words.append("\(act.returned.count) refused by the server") }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private func line(_ act: RecordedAct) -> JSONLine {
    var line = JSONLine()
    line.add("version", 1)
    line.add("act", act.act.number)
    line.add("time", Int(act.act.time))
    line.add("command", octets: act.act.command)
    line.add("messages", act.act.fileCount)
    line.add("done", act.isDone)
    if let origin = act.act.origin.word { line.add("by", octets: origin) }
    if let other = act.act.undoing { line.add("undoes", other) }
    if let other = act.undoneBy { line.add("undone-by", other) }
    let (failed, gone) = (act.failedCount, act.leftCount - act.failedCount)
    if gone > 0 { line.add("gone", gone) }
    if failed > 0 { line.add("failed", failed) }
    if !act.returned.isEmpty { line.add("refused", act.returned.count) }
    return line
  }

  private func printSteps(_ act: RecordedAct, _ output: TriageOutput) {
    for (number, step) in act.act.steps.enumerated() {
      let state = Self.state(of: number, act)
      if context.globals.json {
        context.console.print(octets: output.line(step, act: act.act.number, state: state).octets)
      } else {
        let reason = act.returned[number] ?? act.failed[number]
        let why = reason.map { ": \(Printable.text($0))" } ?? ""
        context.console.print("\(output.text(step))  \(output.change(step))  \(state)\(why)")
      }
    }
  }

  /// What became of a step.
  private static func state(of number: Int, _ act: RecordedAct) -> String {
    if act.returned[number] != nil { return "refused" }
    if act.failed[number] != nil { return "failed" }
    if act.skipped.contains(number) { return "skipped" }
    if act.left.contains(number) { return "gone" }
    return act.isDone ? "done" : "begun"
  }
}
