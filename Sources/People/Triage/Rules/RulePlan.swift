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
  /// Whether messages were not taken for those of a thread that is named, since their subject alone joins them to it.
  package internal(set) var hasGuesses = false
  /// The rules that a message has its steps from, by its number.
  private var rules: [[String]] = []

  /// The rules that a step comes from, in their order.
  package func rules(of step: PlannedAct.Step) -> [String] { rules[step.message] }

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
