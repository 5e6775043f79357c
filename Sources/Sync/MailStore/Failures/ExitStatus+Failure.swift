package import Configuration
internal import SASL
package import MailModel
internal import Proxies
package import Transport

extension ExitStatus {
  /// The status that a failure stands for.
  package init(_ failure: SyncFailure) {
    switch failure {
    case .transport(let error): self = ExitStatus(error)
    case .hungUp, .notNow, .pausing, .loginsUsedUp, .identityWanted, .locked, .lockUnsupported,
      .interrupted:
      self = .tryAgain
    case .protocolViolation, .greetingRefused, .startTLSUnavailable, .commandRefused:
      self = .unavailable
    case .authenticationExchange(let error):
      if case .forbiddenOctet = error { self = .refused } else { self = .unavailable }
    case .secret(let error): self = ExitStatus(error.need)
    case .secretRefused, .secretRefusedBefore: self = .refused
    case .unknownName: self = .usage
    case .nothingToMirror(.excluded), .nothingToMirror(.noFolder): self = .configuration
    case .nothingToMirror(.noMailbox): self = .partial
    case .labels(.lost): self = .partial
    case .otherOrigin, .labels, .newerState: self = .configuration
    case .system, .rootMissing, .layoutChanged, .message, .file, .mailbox, .hook: self = .partial
    }
  }

  /// The status that says what helps.
  package init(_ need: SecretError.Need) {
    switch need {
    case .time: self = .tryAgain
    case .configuration: self = .configuration
    case .login: self = .refused
    }
  }

  /// Certificates do not mend themselves; everything else about a network may.
  package init(_ error: TransportError) {
    switch error {
    case .tls(.trust): self = .configuration
    case .tls(.clientCertificate): self = .refused
    case .tls: self = .unavailable
    case .proxy(_, let refusal):
      self =
        switch refusal.help {
        case .time: .tryAgain
        case .configuration: .unavailable
        case .login: .refused
        }
    default: self = .tryAgain
    }
  }
}
