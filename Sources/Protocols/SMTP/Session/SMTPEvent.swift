/// What happened on a session, in the order of the wire.
package enum SMTPEvent: Hashable, Sendable {
  /// The server's first words; after anything but a positive reply only QUIT makes sense.
  case greeting(Reply)

  /// The reply to EHLO, or to HELO after EHLO was refused; `SMTPSession.extensions` has what it says.
  case hello(Reply)

  /// The reply to STARTTLS; after 220 and only then the handshake has to follow.
  case startTLS(Reply)

  /// The next challenge of AUTH, base64 undone; answered with `SMTPSession.respond(_:)`.
  case challenge([UInt8])

  /// The end of AUTH.
  case authentication(Reply)

  /// The server waits for the message: `SMTPSession.send(message:)`, then `endMessage()`.
  case messageWanted

  /// The end of a transaction, whatever became of it; comes once for each.
  case delivery(TransactionOutcome)

  /// The reply to RSET.
  case reset(Reply)

  case noop(Reply)

  case quit(Reply)

  /// The server closes the connection: 421 in place of any reply, or a refusal that nothing
  /// asked for; with the step that was being waited for. A `delivery` comes before it if one was
  /// to come.
  case closing(Reply, at: Step?)

  /// Whether it is the end of a transaction.
  var isDelivery: Bool {
    if case .delivery = self { true } else { false }
  }
}

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
