internal import Configuration
internal import MailModel

// From what is done to messages to steps.
extension RuleSorting {
  /// What is done to a message.
  struct Sorted {
    /// The rule that moves it, and the files that it moves.
    var mover: (rule: Int, target: Target)?
    /// The other files, with what they get and lose.
    var marked: Target
    let edit: TagEdit?
    let names: [String]
  }

  func addSteps(of sorted: [Sorted], to plan: inout RulePlan) throws(Explanation) {
    var planners: [Way: ActPlanner] = [:]
    var names = Set(plan.names)
    for message in sorted {
      var steps: [PlannedAct.Step] = []
      if let (number, target) = message.mover, let mover = rules[number].mover {
        let way = Way(verb: mover, edit: message.edit)
        steps += try plannedSteps(way, target, &planners)
      }
      if let edit = message.edit, !message.marked.files.isEmpty {
        steps += try plannedSteps(Way(verb: .tag(edit), edit: nil), message.marked, &planners)
      }
      plan.add(steps, by: message.names)
      if !steps.isEmpty { names.formUnion(message.names) }
    }
    plan.names = rules.map(\.settings.name).filter(names.contains)
  }

  /// What planners differ in.
  private struct Way: Hashable {
    let verb: TriageVerb
    let edit: TagEdit?
  }

  private func plannedSteps(
    _ way: Way,
    _ target: Target,
    _ planners: inout [Way: ActPlanner]
  ) throws(Explanation) -> [PlannedAct.Step] {
    var planner =
      planners[way]
      ?? ActPlanner(way.verb, and: way.edit, sorted: [account.name], accounts) { [finder] in
        finder.folders(of: $0)
      }
    defer { planners[way] = planner }
    return try planner.plan([target]).steps
  }
}
