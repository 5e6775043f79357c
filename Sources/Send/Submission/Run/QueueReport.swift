package import Spool
package import SpoolPlan

/// How a queue stands after it was worked on.
package struct QueueReport: Sendable {
  /// Why the run ended.
  package enum Ending: Sendable {
    /// Nothing was left that could be done.
    case complete
    /// Another process works on the queue; it will do the rest.
    case busy
    /// The program is to end.
    case interrupted
  }

  /// Why it ended.
  package internal(set) var ending = Ending.complete

  /// How many messages were taken by the server for at least one recipient.
  package internal(set) var sent = 0

  /// The entries that failed.
  package internal(set) var failed: [EntryID] = []

  /// The entries of messages that are sent, of which the server refuses to keep a copy.
  package internal(set) var uncopied: [EntryID] = []

  /// The entries that a person is to know of.
  package var concluded: [EntryID] { failed + uncopied }

  /// The entries that were left alone since they cannot be understood, and why.
  package internal(set) var unreadable: [(id: EntryID, problem: SpoolError)] = []

  /// How many entries are left in the queue.
  package internal(set) var waiting = 0

  /// What is in the way of the account; `nil` for nothing.
  package internal(set) var block: SendingBlock?

  /// What happened on the way that put the block there in this run; `nil` when nothing did.
  package internal(set) var failure: SubmissionFailure?
}
