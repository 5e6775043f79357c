package import Spool

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
