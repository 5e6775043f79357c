/// A step of a plan and why it is planned.
package struct Planned<Step: Hashable & Sendable>: Hashable, Sendable {
  /// What to do.
  package let step: Step
  /// Why.
  package let reason: Reason

  init(_ step: Step, _ reason: Reason) {
    self.step = step
    self.reason = reason
  }
}

extension Planned {
  /// The same with the step as one of any phase.
  func mapped<Other: Hashable & Sendable>(_ transform: (Step) -> Other) -> Planned<Other> {
    Planned<Other>(transform(step), reason)
  }
}
