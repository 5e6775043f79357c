/// What a client asks outside of a transaction.
package enum SMTPCommand: Hashable, Sendable {
  /// EHLO; a server that does not know it is asked with HELO, which offers no extensions, unless
  /// there is no use in going on without any.
  case hello(ClientName, needsExtensions: Bool = false)

  /// STARTTLS; the reply 220 asks for the handshake.
  case startTLS

  /// AUTH with a mechanism by its name in capitals.
  ///
  /// `initialResponse` goes with the command, or where that makes it longer than a server must
  /// accept (RFC 4954 §4), to the first challenge; empty is a response too. `nil`: the server
  /// speaks first. `secret` is the password or token in it: no error or trace repeats it, nor the responses.
  case authenticate(mechanism: [UInt8], initialResponse: [UInt8]?, secret: [UInt8] = [])

  /// RSET; nothing needs it, for a transaction left half done is reset when the next one begins.
  case reset

  case noop

  case quit

  var step: Step {
    switch self {
    case .hello: .hello
    case .startTLS: .startTLS
    case .authenticate: .authentication
    case .reset: .reset
    case .noop: .noop
    case .quit: .quit
    }
  }
}
