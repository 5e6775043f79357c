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
