package import Configuration
package import SyncEngine
package import Triage

/// Shows the events of a run; may be called from several threads.
package protocol Reporter: Sendable {
  /// Something happened in a sync.
  func reportEvent(_ event: SyncEvent)

  /// An account's queue was worked on.
  func reportOutbox(_ outbox: OutboxReport)

  /// An account's mail is being indexed: so many messages of so many are done.
  func indexing(_ account: String, _ done: Int, of total: Int)

  /// An account's mail was indexed, or could not be.
  func indexed(_ account: String, _ outcome: Indexing.Outcome)

  /// Filters made text of attachments of an account, or could not.
  func extracted(_ account: String, _ report: FilterReport)

  /// What a person did was taken back here, since the server refuses it.
  func returned(_ step: ReturnedStep)
}
