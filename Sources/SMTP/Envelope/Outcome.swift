/// What became of a message, as things stand.
package struct Outcome: Hashable, Sendable {
  /// The fate of each recipient, in the order of the envelope.
  package let fates: [Fate]

  /// What the server said against the account rather than the message; `nil` when nothing.
  ///
  /// The recipients that it stopped are `undecided`; nothing else can be sent before it is out of the way.
  package let obstacle: Refusal?

  /// The outcome of these fates.
  package init(fates: [Fate], obstacle: Refusal? = nil) {
    self.fates = fates
    self.obstacle = obstacle
  }
}
