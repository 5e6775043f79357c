package import SMTP

/// What came of handing a message to a server.
package enum Delivery: Hashable, Sendable {
  /// It cannot be sent to this server at all; nothing was sent.
  case impossible(EnvelopeError)

  /// It was tried; what became of it, what it was sent without, and what ended the connection, if
  /// anything did.
  case attempted(Outcome, lacking: Set<Shortfall>, SubmissionFailure?)
}
