package import Spool

/// Does what entries ask for on the IMAP server: copies of what was sent, and actions.
package protocol StepPerformer {
  /// Does the work of an entry, or finds that it is done already.
  ///
  /// - Parameters:
  ///   - stored: the entry; for one that sends, its copy is meant.
  ///   - begun: what an attempt that did not end has noted; `nil` when there was none.
  ///   - attempts: how often the server refused it for now.
  ///   - note: makes durable what is needed to find out later whether the work was done.
  /// - Returns: how it went.
  /// - Throws: what `note` throws.
  mutating func perform(
    _ stored: StoredEntry,
    begun: [UInt8]?,
    attempts: Int,
    note: ([UInt8]) throws(SpoolError) -> Void
  ) throws(SpoolError) -> StepResult
}

/// How work on the IMAP server went.
package enum StepResult: Hashable, Sendable {
  /// It is done, with a word about where.
  case done([UInt8])

  /// The server refuses for now, and why.
  case postponed([UInt8])

  /// The server refuses for good, and why.
  case rejected([UInt8])

  /// It cannot be done now: it stays, and the others go on.
  case left

  /// The server cannot be reached: nothing more is tried in this run.
  case unreachable
}
