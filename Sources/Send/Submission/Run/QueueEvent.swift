package import SMTP
package import Spool
package import SpoolPlan

/// Something that happened while a queue was worked on.
package enum QueueEvent: Sendable {
  /// A message was offered to the server: what became of it for each of these recipients.
  case attempted(AttemptReport)

  /// An entry is done and gone.
  case finished(EntryID)

  /// An entry needs a person, and why.
  case failed(EntryID, [UInt8])

  /// An entry waits for a person, and why.
  case held(EntryID, [UInt8])

  /// Nothing can be sent with the account for now.
  case blocked(SendingBlock, SubmissionFailure?)

  /// An entry is left alone, since its file or its log cannot be understood.
  case unreadable(EntryID, SpoolError)

  /// A line of the conversation with the server.
  case trace(String)
}

/// One offer of a message to a server.
package struct AttemptReport: Sendable {
  package let entry: Entry

  /// Where it was offered, `host:port`.
  package let server: String

  /// The envelope that was offered.
  package let envelope: Envelope

  /// The size of the message, in octets as it lies in the spool.
  package let size: Int

  /// What became of it for each recipient of the envelope.
  package let outcomes: [RecipientOutcome]

  /// What it was sent without.
  package let lacking: Set<Shortfall>
}
