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
    case .tls(let failure): text(failure)
    case .interrupted: "interrupted"
    case .system(let error): error.description
    case .tunnel(let failure): "\(failure)"
    }
  }

  private static func text(_ failure: TLSFailure) -> String {
    switch failure {
    case .certificate(let host, let reason, _):
      "the certificate of \(shown(host)) is not trusted: \(shown(reason))"
    case .hostName(let host, _): "the server shows a certificate that is not for \(shown(host))"
    case .fingerprint(let host, _, _):
      "\(shown(host)) shows another certificate than the one in smtp-tls-fingerprint"
    case .version: "the server does not speak TLS 1.2 or later"
    case .notTLS: "the server does not speak TLS on this port"
    case .trust(let path, let reason): "\(path.display): \(shown(reason))"
    case .handshake(let words): "TLS: \(shown(words))"
    }
  }

  private static func shown(_ text: String) -> String { Printable.text(text.utf8) }

  private static func reasons(_ attempts: [SystemError]) -> String {
    var reasons: [String] = []
    for attempt in attempts where !reasons.contains(attempt.reason) {
      reasons.append(attempt.reason)
    }
    return reasons.isEmpty ? "no address" : reasons.joined(separator: ", ")
  }
}
