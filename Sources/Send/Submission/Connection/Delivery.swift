package import SMTP

/// What came of handing a message to a server.
package enum Delivery: Hashable, Sendable {
  /// It cannot be sent to this server at all; nothing was sent.
  case impossible(EnvelopeError)

  /// It was tried.
  case attempted(DeliveryAttempt)

  /// How far a message comes.
  package enum Reached: Hashable, Sendable {
    /// The server did not ask for it.
    case envelope
    /// The server asked for it, and its end was not sent.
    case message
    /// Its end was sent.
    case end
  }
}

/// What came of one attempt to send a message.
package struct DeliveryAttempt: Hashable, Sendable {
  /// What became of the message.
  package let outcome: TransactionOutcome

  /// What it was sent without.
  package let lacking: Set<Shortfall>

  /// How far it came.
  package let reached: Delivery.Reached

  /// What ended the connection; `nil` when nothing did.
  package let failure: SubmissionFailure?
}

extension DeliveryAttempt {
  /// Whether nothing was said about the message, and the connection is gone.
  var isUntouched: Bool {
    reached == .envelope && failure?.isGoodbye ?? false
      && outcome.recipients.allSatisfy { $0 == .undecided }
  }

  /// Whether the conversation broke off, so that it is unknown whether the message or the server is to blame.
  var isLoss: Bool { failure?.isLoss ?? false }

  /// Whether the connection was lost over the message itself, so that others may do better.
  var isOfMessage: Bool {
    reached != .envelope && failure?.isGoodbye ?? false
  }
}
