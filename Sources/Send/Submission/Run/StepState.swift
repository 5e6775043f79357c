internal import Platform
package import Spool
internal import SpoolPlan

/// Writes into the log of an entry what becomes of its steps on the IMAP server.
package final class StepState {
  private let log: EntryLog
  private let schedule: RetrySchedule

  /// Whether nothing more is to be tried in this run.
  package private(set) var isUnreachable = false

  init(_ log: EntryLog, _ schedule: RetrySchedule) {
    self.log = log
    self.schedule = schedule
  }

  /// Notes what is needed to find out later whether a step was taken; durable on return.
  package func begin(_ step: DueStep, _ note: [UInt8]) throws(SpoolError) {
    try log.append(.begun(step.number, note), now: Clock.now())
  }

  /// Records the result of a step; durable on return.
  package func recordResult(_ step: DueStep, _ result: StepResult) throws(SpoolError) {
    try recordResults([(step, result)])
  }

  /// Records the results of steps; durable on return, all by one write.
  package func recordResults(_ results: [(step: DueStep, result: StepResult)]) throws(SpoolError) {
    let now = Clock.now()
    var facts: [LogFact] = []
    for (step, result) in results {
      if result == .unreachable { isUnreachable = true }
      guard let fact = fact(step, result, now) else { continue }
      if let joined = facts.last?.joined(fact) {
        facts[facts.count - 1] = joined
      } else {
        facts.append(fact)
      }
    }
    try log.append(facts, now: now)
  }

  /// What is noted of a result; `nil` for nothing, where the step stays as it was.
  private func fact(_ step: DueStep, _ result: StepResult, _ now: Int64) -> LogFact? {
    switch result {
    case .done(let words): return .done([step.number], words)
    case .rejected(let words): return .rejected([step.number], words)
    case .undone(let words): return .undone([step.number], words)
    case .postponed(let words):
      let until = now + schedule.delay(after: step.attempts + 1)
      return .postponed([step.number], until: until, words)
    case .left, .unreachable: return nil
    }
  }
}
