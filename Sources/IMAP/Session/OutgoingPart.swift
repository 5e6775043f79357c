/// A stretch of a command on its way out.
enum OutgoingPart: Hashable, Sendable {
  /// Octets at hand.
  case octets([UInt8])

  /// The server must say `+` before what follows may go (RFC 9051 §4.3).
  case wait

  /// Octets that are fed when it is their turn.
  case literal(LiteralRequest)
}
