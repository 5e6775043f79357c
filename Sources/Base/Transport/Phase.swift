/// What a stream was doing when the time ran out.
package enum Phase: Hashable, Sendable {
  /// Asking for the addresses of a name.
  case resolve

  /// Reaching one of the addresses.
  case connect

  /// Agreeing on TLS.
  case handshake

  /// Waiting for the first words of the server.
  case greeting

  /// Sending or receiving.
  case exchange
}
