internal import Configuration
internal import Login
internal import Octets
internal import SASL
internal import SMTP
internal import Spool
internal import Transport

/// Why nothing can be sent, in words for logs and people.
package enum FailureText {
  /// What happened, in one line.
  package static func text(_ failure: SubmissionFailure) -> String { words(failure).what }

  /// What happened, in one line, and what to do about it; nil where nothing can be advised.
  package static func words(_ failure: SubmissionFailure) -> (what: String, hint: String?) {
    switch failure {
    case .transport(let error): TransportWords(.smtp).words(error)
    case .protocolViolation(let error) where error.problem == .noGreeting:
      (
        "this is not an SMTP server; its greeting: \(Printable.text(error.line))",
        "check host and port in the configuration"
      )
    case .protocolViolation(let error):
      (ProtocolWords.text(error), "magnum accounts test --trace shows the conversation")
    case .refused(let refusal): (words(refusal), hint(refusal))
    case .secretRefused(let refusal, let secret):
      (words(refusal), secret.remedy(words(refusal), then: "magnum queue flush \(secret.account)"))
    case .closing(let reply): ("the server closed the connection: \(reply)", nil)
    case .startTLSUnavailable:
      (
        "the server does not offer STARTTLS",
        "if it has a port for TLS, write \(Service.smtp.implicitTLSLine)"
      )
    case .authentication(let error): authentication(error)
    case .secret(let error): (error.message, error.hint)
    case .spool(.system(let error)): ("the queue cannot be written: \(error)", nil)
    case .spool: ("the queue cannot be written", nil)
    case .message(let error): ("the message cannot be sent: \(ProtocolWords.text(error))", nil)
    case .interrupted: ("interrupted", nil)
    }
  }

  /// What to do where the server wants a log-in that did not happen.
  private static func hint(_ refusal: Refusal) -> String? {
    guard case .account(let problem) = refusal.classification, problem.isAuthentication else {
      return nil
    }
    return "check the user name and the password in the configuration"
  }

  private static func words(_ refusal: Refusal) -> String {
    "\(refusal.reply) (to \(refusal.step.command))"
  }

  private static func authentication(_ error: SASLError) -> (what: String, hint: String?) {
    let words = SASLWords.words(error)
    return ("cannot log in: \(words.what)", words.hint)
  }
}
