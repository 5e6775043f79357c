internal import Platform
package import Spool
internal import SpoolPlan

/// Does what entries ask for on the IMAP server: copies of what was sent, and changes of messages.
package protocol StepPerformer {
  /// Takes the steps of an entry that are due, or finds that they are taken already.
  ///
  /// - Parameters:
  ///   - steps: what is due, in the order of the entry; each for another message.
  ///   - stored: the entry; for one that sends, its copy is meant.
  ///   - stepState: makes durable what is done, and what becomes of each step; of one that is not settled there nothing
  ///     is known.
  /// - Throws: what `stepState` throws.
  mutating func perform(
    _ steps: [DueStep],
    of stored: StoredEntry,
    _ stepState: StepState
  ) throws(SpoolError)
}

/// A step on the IMAP server that is due.
package struct DueStep: Hashable, Sendable {
  /// Its number in the entry, from 0.
  package let number: Int

  /// What an attempt that did not end has noted; `nil` when there was none.
  package let begun: [UInt8]?

  /// How often the server refused it for now.
  package let attempts: Int
}

/// How a step on the IMAP server went.
package enum StepResult: Hashable, Sendable {
  /// It is done, with a word about where.
  case done([UInt8])

  /// The server refuses for now, and why.
  case postponed([UInt8])

  /// The server refuses for good, and why: a person is needed.
  case rejected([UInt8])

  /// The server refuses for good, and why; what showed it here was put back as it was.
  case undone([UInt8])

  /// It cannot be done now: it stays, and the others go on.
  case left

  /// The server cannot be reached: nothing more is tried in this run.
  case unreachable
}

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
