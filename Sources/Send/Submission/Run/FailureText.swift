internal import Configuration
internal import Login
internal import Octets
internal import Platform
internal import SASL
internal import SMTP
internal import Spool
package import SpoolPlan
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
    case .program(.stopped(_, let words)): (words, nil)
    case .program(.isRoots):
      (
        "send-command of an account for all users never runs as root",
        "have another user send it, or name a server in smtp"
      )
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

/// Why nothing can be done with an entry, in words.
package enum EntryWords {
  /// What is wrong with it, in one line.
  package static func text(_ error: EntryError) -> String {
    switch error {
    case .notAnEntry: "damaged: it does not begin like an entry"
    case .unknownVersion(let version):
      "written by a later version of Magnum (\(Printable.text(version, limit: 20)))"
    case .formerKind(let kind):
      "of the kind \(kind), which was given up before the first release; ask for the change again"
    case .malformed(let line): "damaged: line \(line) of its header cannot be understood"
    case .missing(let field): "damaged: it has no field \(field)"
    case .messageDiffers: "damaged: its message is not the one that was put there"
    case .otherAccount(let account):
      "not sent: it was put into the queue of the account \(Printable.text(account.utf8, limit: 100))"
    }
  }
}

/// Why a message cannot be offered to a server, in words.
enum EnvelopeWords {
  static func text(_ error: EnvelopeError) -> String {
    switch error {
    case .noRecipients: "no recipients"
    case .tooManyRecipients(let count, let limit):
      "\(count) recipients are more than the \(limit) that the server takes"
    case .tooLarge(let size, let limit):
      "the message has \(size) octets and the server takes \(limit)"
    case .headerNotUTF8(let address):
      "\(Printable.text(address.octets)) needs SMTPUTF8, and the header of the message is not UTF-8"
    case .needsSMTPUTF8(let address) where address.isInternationalInDomainOnly:
      "the server does not offer SMTPUTF8, and the domain of \(Printable.text(address.octets)) has no form in ASCII "
        + "that is known here; if it is right, write it as xn--…"
    case .needsSMTPUTF8(let address):
      "the server does not offer SMTPUTF8, which \(Printable.text(address.octets)) needs"
    }
  }
}

/// How a server or a message breaks the rules, in words.
enum ProtocolWords {
  static func text(_ error: SMTPProtocolError) -> String {
    let line = error.line.isEmpty ? "" : ": \(Printable.text(error.line))"
    return "the server broke the protocol: \(text(error.problem))\(line)"
  }

  private static func text(_ problem: SMTPProtocolError.Problem) -> String {
    switch problem {
    case .malformedReply: "no reply begins like this"
    case .noGreeting: "this is not an SMTP server"
    case .unexpectedReply(let step):
      step.map { "its reply does not fit \($0.command)" } ?? "nothing was said to it"
    case .malformedChallenge: "its challenge for the log-in is not base64"
    case .lineTooLong(let limit): "a line of more than \(limit) octets"
    case .tooManyLines(let limit): "a reply of more than \(limit) lines"
    case .dataBeforeTLS: "it sent more before TLS had begun, as in an attack"
    }
  }

  static func text(_ error: MessageError) -> String {
    switch error {
    case .bareCarriageReturn(let line): "line \(line) holds a CR without LF"
    case .null(let line): "line \(line) holds a NUL"
    case .unreadable(let error): error.description
    case .sizeChanged: "it is not the one that was looked at before"
    }
  }
}
