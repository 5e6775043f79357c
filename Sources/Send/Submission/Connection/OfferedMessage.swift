package import Octets
package import SMTP

/// A message as it is offered to a server.
package struct OfferedMessage: Sendable {
  /// Its octets, lines ended by LF or CR LF; read piece by piece.
  let message: any OctetSource

  /// What a `MessageScanner` found out about it.
  let facts: MessageFacts

  /// Who gets it.
  let envelope: Envelope

  package init(_ message: any OctetSource, _ facts: MessageFacts, to envelope: Envelope) {
    self.message = message
    self.facts = facts
    self.envelope = envelope
  }

  /// Whether it can be sent to a server with these extensions.
  func isPossible(for extensions: Extensions) -> Bool {
    (try? envelope.check(facts, for: extensions)) != nil
  }
}
