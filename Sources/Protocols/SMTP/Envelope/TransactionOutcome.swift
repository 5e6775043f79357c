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
