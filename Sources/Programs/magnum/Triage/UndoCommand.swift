internal import MailModel
internal import CommandLine
internal import Configuration
internal import Octets
internal import Platform
internal import Terminal
internal import Triage

/// `magnum undo`: takes back what a command did to messages.
struct UndoCommand {
  struct Options {
    var isDryRun = false
  }

  private let options: Options
  private let context: CommandContext

  static var command: CommandDefinition {
    CommandDefinition(
      "undo",
      abstract: "Undo a command on messages.",
      discussion:
        "Without a number, your last one that is in effect; magnum log lists the numbers. "
        + "See magnum-triage(1).",
      initial: Options(),
      globals: [.config, .json, .quiet],
      options: [
        .flag(
          "-n",
          "--dry-run",
          sets: \.isDryRun,
          help: "Print what would be done, and do nothing."
        )
      ],
      operands: .atMostOne("number"),
      check: { (_, line) throws(UsageMistake) in
        for word in line.operands where Int(word) == nil {
          throw UsageMistake("\"\(word)\" is not the number of an act")
        }
      },
      changes: { options, _ in !options.isDryRun },
      run: { options, context in UndoCommand(options: options, context: context).run() }
    )
  }

  private func run() -> ExitStatus {
    context.reporting { () throws(Explanation) in try undo(context.neededConfiguration()) }
  }

  private func undo(_ configuration: Configuration) throws(Explanation) -> ExitStatus {
    let number = context.operands.first.flatMap { Int($0) }
    let triage = Triage(configuration, stateHome: Environment.stateHome)
    let output = TriageOutput("undo", "restored", configuration, context)
    // A command that was cut short and is repeated means the same act, not the one before it.
    if let finished = try triage.finish() {
      if number == nil, !options.isDryRun, let act = finished.act?.act, act.undoing != nil,
        act.origin == .person
      {
        return output.print(finished)
      }
      output.reportFinished(finished)
    }
    let undo = try triage.planUndo(number)
    for step in undo.changed {
      context.report(place: output.text(step), "it was changed since, and stays as it is")
    }
    for step in undo.lasting {
      context.report(place: output.text(step), "what was deleted for good does not come back")
    }
    let isWhole = undo.changed.isEmpty && undo.lasting.isEmpty
    if options.isDryRun {
      output.printPlanned(undo.plan)
      output.reportRemnants(undo.remnants)
      return isWhole ? .success : .partial
    }
    guard !undo.plan.steps.isEmpty else {
      let earlier = number == nil ? try triage.actBefore(undo.act) : nil
      throw Explanation(
        .partial,
        "nothing of act \(undo.act.act.number) can be undone",
        hint: earlier.map { act in
          "magnum undo \(act.act.number) takes back the one before it: magnum "
            + Printable.text(act.act.command, limit: 200)
        }
      )
    }
    let result = try triage.carryOut(
      undo.plan,
      command: [UInt8]("undo \(undo.act.act.number)".utf8),
      undoing: undo.act.act.number
    )
    let status = output.print(result)
    output.reportRemnants(undo.remnants)
    return ExitStatus.mostSevere(of: [status, isWhole ? .success : .partial])
  }
}
