/// What became of a message: of each recipient, as things stand.
package struct TransactionOutcome: Hashable, Sendable {
  /// The outcome of each recipient, in the order of the envelope.
  package let recipients: [RecipientOutcome]

  /// What the server said against the account rather than the message; `nil` when nothing.
  ///
  /// The recipients that it stopped are `undecided`; nothing else can be sent before it is out of the way.
  package let obstacle: Refusal?

  package init(recipients: [RecipientOutcome], obstacle: Refusal? = nil) {
    self.recipients = recipients
    self.obstacle = obstacle
  }
}

/// What became of a message for one recipient.
package enum RecipientOutcome: Hashable, Sendable {
  /// The server has the message and answers for it; with its reply to the end of data.
  case accepted(Reply)

  /// Refused for now.
  case deferred(Refusal)

  /// Refused for good.
  case refused(Refusal)

  /// The server does not have the message, and nothing was said against it.
  ///
  /// The conversation ended before, or was about the account: see `TransactionOutcome.obstacle`.
  case undecided

  /// The end of data was given out to be sent and no reply came: the server may have the message.
  case uncertain
}

/// A reply that refuses something, and the step it answered.
package struct Refusal: Hashable, Sendable {
  /// What the server said.
  package let reply: Reply

  /// What it said that to.
  package let step: Step

  /// Whether an AUTH had succeeded before.
  package let isLoggedIn: Bool

  package init(_ reply: Reply, at step: Step, isLoggedIn: Bool = false) {
    self.reply = reply
    self.step = step
    self.isLoggedIn = isLoggedIn
  }

  /// What it concerns, and whether trying again can help.
  package var classification: ReplyClassification {
    ReplyClassification(reply, at: step, isLoggedIn: isLoggedIn)
  }
}
