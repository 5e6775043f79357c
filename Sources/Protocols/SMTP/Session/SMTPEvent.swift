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
}
