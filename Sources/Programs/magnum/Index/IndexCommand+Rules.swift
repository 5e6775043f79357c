internal import CommandLine
internal import Configuration
internal import MailModel
internal import Platform
internal import Syncing
internal import Terminal
internal import Triage

// Rules for mail that other programs deliver.
extension IndexCommand {
  /// Indexes the mail of an account, and where it has no server, applies rules to what is new there; gives what came of both.
  func applyRules(
    of configuration: Configuration,
    to account: Account,
    afterIndexing index: () -> ExitStatus
  ) -> [ExitStatus] {
    guard account.server == nil, !options.check, !options.compact,
      !ReadOnlyMode.isOn, !Interruption.shared.isRequested,
      let stage = RuleStage(
        configuration,
        [account],
        isSynced: false,
        stateHome: Environment.stateHome,
        isSorting: true
      )
    else { return [index()] }
    reportRules(stage.recordDeliveries(of: account), account.name)
    let status = index()
    if !Interruption.shared.isRequested {
      reportRules(stage.sortDeliveries(of: account), account.name)
    }
    return [status] + stage.statuses
  }

  private func reportRules(_ outcomes: [RuleOutcome], _ name: String) {
    let memory = problemMemory
    for outcome in outcomes {
      switch outcome {
      case .begun where context.globals.quiet: continue
      case .begun(let isDamaged):
        let words = isDamaged ? "the list of new mail was damaged; rules begin anew" : "rules begin"
        console.writeNote("\(name): \(words) with mail that comes from now on")
      case .sorted(let sorted):
        if context.globals.json {
          console.print(octets: IndexLine.sorted(name, sorted.count, sorted.rules).octets)
          continue
        }
        guard !context.globals.quiet else { continue }
        let messages = sorted.count == 1 ? "1 message" : "\(sorted.count) messages"
        let rules = sorted.rules.joined(separator: ", ")
        console.print("\(name)  \(messages) sorted by rules: \(rules)")
      case .problem(let problem, let explanation):
        if memory.isDue(problem, of: name) { context.report(explanation) }
      }
    }
    memory.save()
  }

  /// Which standing problems are said again.
  var problemMemory: ProblemMemory {
    let globals = context.globals
    return ProblemMemory(
      stateHome: Environment.stateHome,
      isWatched: console.errorTraits.isTerminal || globals.json || !globals.accounts.isEmpty,
      now: Clock.now()
    )
  }
}
