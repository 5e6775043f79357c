internal import Configuration
internal import Octets
internal import Platform
internal import SASL
internal import SMTP
internal import Transport

/// Why nothing can be sent, in words for logs and people.
package enum FailureText {
  /// What happened, in one line.
  package static func text(_ failure: SubmissionFailure) -> String {
    switch failure {
    case .transport(let error): text(error)
    case .protocolViolation(let error): "the server broke the protocol: \(error)"
    case .refused(let refusal): "\(refusal.reply) (to \(refusal.step.command))"
    case .closing(let reply): "the server closed the connection: \(reply)"
    case .startTLSUnavailable: "the server does not offer STARTTLS"
    case .authentication(let error): "cannot log in: \(error)"
    case .secret(let error): error.message
    case .spool(let error): "\(error)"
    case .message(let error): "the message cannot be sent: \(error)"
    case .interrupted: "interrupted"
    }
  }

  private static func text(_ error: TransportError) -> String {
    switch error {
    case .nameNotFound(let host, let detail, _):
      "cannot find \(Printable.text(host.utf8)): \(Printable.text(detail.utf8))"
    case .connect(let host, let port, let attempts):
      "cannot connect to \(Printable.text(host.utf8)) port \(port): \(reasons(attempts))"
    case .timedOut: "no answer in time"
    case .closed: "the connection broke off"
    case .tls(let failure): "TLS: \(Printable.text("\(failure)".utf8))"
    case .interrupted: "interrupted"
    case .system(let error): error.description
    case .tunnel(let failure): "\(failure)"
    }
  }

  private static func reasons(_ attempts: [SystemError]) -> String {
    var reasons: [String] = []
    for attempt in attempts where !reasons.contains(attempt.reason) {
      reasons.append(attempt.reason)
    }
    return reasons.isEmpty ? "no address" : reasons.joined(separator: ", ")
  }
}
