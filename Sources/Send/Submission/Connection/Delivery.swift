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

  /// Where the message stood among those that were under way together.
  package var place = Place.alone

  /// What else was under way.
  package enum Place: Hashable, Sendable {
    /// No other one was.
    case alone
    /// Its commands came behind the end of another message, and the server has never answered such ones.
    case announced
    /// Others were.
    case flight
    /// Others were, and the conversation broke off over one before it.
    case behindFailure
  }
}

extension DeliveryAttempt {
  /// Whether nothing was said about the message, and the connection is gone.
  var isUntouched: Bool {
    reached == .envelope && failure?.isGoodbye ?? false
      && outcome.recipients.allSatisfy { $0 == .undecided }
  }

  /// Whether the commands of the message, which came behind the end of another one, were never answered.
  var isUnheard: Bool { place == .announced && reached == .envelope && isLoss }

  /// Whether it was noted before that the end of the message is about to be sent, and the end was not sent.
  var isNotedInVain: Bool { reached == .end || place == .flight || place == .behindFailure }

  /// Whether the conversation broke off, so that it is unknown whether the message or the server is to blame.
  var isLoss: Bool { failure?.isLoss ?? false && place != .behindFailure }

  /// Whether the connection was lost over the message itself, so that others may do better.
  var isOfMessage: Bool {
    reached != .envelope && failure?.isGoodbye ?? false
  }
}
