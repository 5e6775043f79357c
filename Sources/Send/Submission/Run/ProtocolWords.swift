internal import Octets
internal import Platform
internal import SMTP

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
