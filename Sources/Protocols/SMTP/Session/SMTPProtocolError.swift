internal import Octets

/// How a server broke the protocol; the session is over.
package struct SMTPProtocolError: Error, Hashable, Sendable {
  /// What is wrong.
  package let problem: Problem

  /// The beginning of the line in question, at most 200 octets, secrets cut out.
  ///
  /// Empty when no line is to blame. Not fit for a terminal as it is.
  package let line: [UInt8]

  static let lineLimit = 200

  /// An error with a line; a session cuts it.
  init(_ problem: Problem, line: some Collection<UInt8>) {
    self.problem = problem
    self.line = [UInt8](line)
  }
}

extension SMTPProtocolError: CustomStringConvertible {
  package var description: String {
    line.isEmpty ? "\(problem)" : "\(problem): \(Printable.text(line))"
  }
}

extension SMTPProtocolError {
  /// What a server did that the protocol does not allow.
  package enum Problem: Error, Hashable, Sendable {
    /// A line does not begin with a code.
    case malformedReply

    /// The first line does not begin with a code: a server of another protocol.
    case noGreeting

    /// A reply came that nothing asked for, or that the step does not know; the step, if any.
    case unexpectedReply(Step?)

    /// A challenge of AUTH is not base64.
    case malformedChallenge

    /// A line is longer than `ReplyLimits.lineLength`, in octets.
    case lineTooLong(limit: Int)

    /// A reply has more lines than `ReplyLimits.lineCount`.
    case tooManyLines(limit: Int)

    /// Octets came between the 220 to STARTTLS and the handshake: replies are injected
    /// (RFC 3207 §6, CVE-2011-0411).
    case dataBeforeTLS
  }
}
