package import Configuration
package import SASL
package import SMTP
package import Spool
package import Transport

/// Why nothing, or nothing more, can be sent over a connection; the message is not to blame.
package enum SubmissionFailure: Error, Hashable, Sendable {
  /// The connection could not be had, or broke.
  case transport(TransportError)

  /// The server broke the protocol.
  case protocolViolation(SMTPProtocolError)

  /// The server refused to serve: its reply to greeting, EHLO, STARTTLS or AUTH, or one in a
  /// transaction that was about the account.
  case refused(Refusal)

  /// The server refused password or token.
  case secretRefused(Refusal, OfferedSecret)

  /// The server closed the connection, with its words.
  case closing(Reply)

  /// STARTTLS is configured and not offered: nothing is said in the clear.
  case startTLSUnavailable

  /// No mechanism fits, or the exchange of one broke off.
  case authentication(SASLError)

  /// There is no secret.
  case secret(SecretError)

  /// What has to be noted before a message ends could not be noted.
  case spool(SpoolError)

  /// The message is not the one that was looked at before.
  case message(MessageError)

  /// The program is to end.
  case interrupted
}
