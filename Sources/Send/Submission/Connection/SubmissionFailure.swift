package import Configuration
internal import Proxies
package import SASL
package import SMTP
package import Spool
package import SpoolPlan
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

  /// The program that takes messages over takes none.
  case program(ProgramRefusal)

  /// What has to be noted before a message ends could not be noted.
  case spool(SpoolError)

  /// The message is not the one that was looked at before.
  case message(MessageError)

  /// The program is to end.
  case interrupted
}

extension SubmissionFailure {
  /// What is in the way of the account; `nil` when nothing is, but here.
  package var reason: SendingBlock.Reason? {
    switch self {
    case .transport(.tls(.clientCertificate)): .secret
    case .transport(.proxy(_, let refusal)) where refusal.help == .login: .secret
    // Strange networks show certificates and servers of their own: that passes when one leaves them.
    case .transport, .protocolViolation, .closing, .startTLSUnavailable: .unreachable
    case .refused(let refusal), .secretRefused(let refusal, _): Self.reason(refusal)
    case .authentication(let error): Self.reason(error)
    case .secret(let error): Self.reason(error)
    case .program(let refusal): refusal.reason
    case .spool, .message, .interrupted: nil
    }
  }

  /// Seconds for which a refused secret is not offered again without a command; those of a password for all else.
  var refusalLifetime: Int64 {
    if case .secretRefused(_, let secret) = self {
      secret.refusalLifetime
    } else {
      SendingBlock.lifetime
    }
  }

  /// Whether there is a server, and no safe way to talk to it.
  package var isAboutTLS: Bool {
    switch self {
    case .transport(.tls), .transport(.closedInHandshake), .startTLSUnavailable: true
    case .transport, .protocolViolation, .refused, .secretRefused, .closing, .authentication,
      .secret, .program, .spool, .message, .interrupted:
      false
    }
  }

  /// Whether the server hung up without a word against anything.
  var isGoodbye: Bool {
    switch self {
    case .transport(.closed), .closing: true
    case .transport, .protocolViolation, .refused, .secretRefused, .startTLSUnavailable,
      .authentication, .secret, .program, .spool, .message, .interrupted:
      false
    }
  }

  /// Whether the conversation broke off without a word about the account: the server hung up, was silent for too long, or
  /// said what cannot be understood.
  var isLoss: Bool {
    switch self {
    case .transport, .closing, .protocolViolation: true
    case .refused, .secretRefused, .startTLSUnavailable, .authentication, .secret, .program, .spool,
      .message, .interrupted:
      false
    }
  }

  private static func reason(_ error: SASLError) -> SendingBlock.Reason {
    switch error {
    case .forbiddenOctet: .secret
    // Servers offer less while they are busy, or where their own directory is away: no secret was said, so it can be tried.
    case .noMechanism: .unreachable
    case .unexpectedChallenge, .malformedChallenge, .iterationCount, .nonceMismatch,
      .wrongServerSignature, .refused:
      .unfit
    }
  }

  private static func reason(_ error: SecretError) -> SendingBlock.Reason? {
    switch error.problem {
    // Another user, such as root for a system's mail, may well be able to read it.
    case .unreadable, .untrusted, .notFetched: nil
    case .noSource, .notStarted, .notFound, .exited, .signalled, .timedOut, .outputTooLong,
      .interrupted, .noCredentials, .noRegularFile, .unfit, .empty, .containsNUL, .grant:
      reason(error.need)
    }
  }

  private static func reason(_ need: SecretError.Need) -> SendingBlock.Reason {
    switch need {
    case .time: .unreachable
    case .configuration: .unfit
    case .login: .secret
    }
  }

  private static func reason(_ refusal: Refusal) -> SendingBlock.Reason {
    guard case .account(let problem) = refusal.classification else { return .unreachable }
    return switch problem {
    case .temporary: .unreachable
    case .credentials, .mechanism, .authenticationRequired: .secret
    case .encryptionRequired: .unfit
    case .permanent: refusal.step == .authentication ? .unfit : .unreachable
    }
  }
}
