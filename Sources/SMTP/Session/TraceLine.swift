/// A line of the conversation, made fit for eyes: secrets and messages are cut.
package struct TraceLine: Hashable, Sendable {
  /// Who spoke.
  package enum Direction: Hashable, Sendable {
    /// We, or the server.
    case sent, received
  }

  /// Who spoke.
  package let direction: Direction

  /// The line without its end, at most 1,000 characters, safe for a terminal.
  package let text: String

  /// A line of this text.
  package init(direction: Direction, text: String) {
    self.direction = direction
    self.text = text
  }
}
