internal import Configuration
package import MailModel

/// What rules are going to do to messages.
package struct RulePlan: Sendable {
  /// The steps, in which a message keeps its number.
  package internal(set) var act = PlannedAct()
  /// The names of the rules that do something, in their order.
  package internal(set) var names: [String] = []
  /// Why rules are left out in accounts, and accounts as wholes.
  package internal(set) var leftOut: [Explanation] = []
  /// For how many messages the programs of rules would be run, in the order of the rules; none where they were.
  package internal(set) var unasked: [(rule: Rule, count: Int)] = []
  /// Whether messages were not taken for those of a thread that is named, since their subject alone joins them to it.
  package internal(set) var hasGuesses = false
  /// The rules that a message has its steps from, by its number.
  private var rules: [[String]] = []

  /// The rules that a step comes from, in their order.
  package func rules(of step: PlannedAct.Step) -> [String] { rules[step.message] }

  /// Adds for how many messages of one more account programs would be run.
  mutating func add(unasked others: [(rule: Rule, count: Int)]) {
    for (rule, count) in others {
      let name = rule.settings.name
      if let index = unasked.firstIndex(where: { $0.rule.settings.name == name }) {
        unasked[index].count += count
      } else {
        unasked.append((rule, count))
      }
    }
  }

  /// Adds the steps of a message.
  mutating func add(_ steps: [PlannedAct.Step], by names: [String]) {
    guard !steps.isEmpty else {
      act.unchanged += 1
      return
    }
    act.steps += steps.map { step in
      var step = step
      step.message = rules.count
      return step
    }
    rules.append(names)
  }
}
