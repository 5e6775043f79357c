/// A line of a conversation with a server, made fit for eyes: secrets and messages are cut.
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

  /// A line of these octets.
  package init(_ direction: Direction, _ octets: [UInt8]) {
    self.direction = direction
    text = Printable.text(octets)
  }

  /// The line with who spoke before it: `C: ` or `S: `.
  package var display: String {
    (direction == .sent ? "C: " : "S: ") + text
  }
}
