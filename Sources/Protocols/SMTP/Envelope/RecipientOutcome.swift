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
