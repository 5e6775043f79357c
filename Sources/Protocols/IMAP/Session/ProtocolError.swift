internal import Octets

/// How a server broke the protocol; the session is over.
package struct ProtocolError: Error, Hashable, Sendable {
  /// What is wrong.
  package let problem: Problem

  /// The beginning of the response in question, at most 200 octets, secrets cut out.
  ///
  /// Empty when no line is to blame. Not fit for a terminal as it is.
  package let line: [UInt8]

  /// An error with a line, which is cut to 200 octets.
  package init(_ problem: Problem, line: some Collection<UInt8>) {
    self.problem = problem
    self.line = [UInt8](line.prefix(200))
  }
}

extension ProtocolError: CustomStringConvertible {
  package var description: String {
    line.isEmpty ? "\(problem)" : "\(problem): \(Printable.text(line))"
  }
}

/// What a server did that the protocol does not allow.
package enum Problem: Error, Hashable, Sendable {
  /// The first line is no greeting of an IMAP server.
  case noGreeting

  /// A response does not follow the grammar where it has to be understood.
  case malformed

  /// A reply carries a tag that no open command has.
  case unknownTag

  /// A command got no reply, though one that was sent after it did.
  case missingReply

  /// The server refused a log-in because of what was sent behind it.
  case loginDisturbed

  /// An OK to a command that changes something came before the command was wholly sent.
  case prematureReply

  /// A challenge of AUTHENTICATE is not base64.
  case malformedChallenge

  /// A response is longer than `Limits.lineLength`, in octets.
  case lineTooLong(limit: Int)

  /// A literal is larger than the limit for its place, both in octets.
  case literalTooLarge(size: UInt64, limit: UInt64)

  /// A list has more elements than `Limits.listLength`.
  case listTooLong(limit: Int)

  /// Parentheses are nested more deeply than `Limits.nesting`.
  case nestedTooDeeply(limit: Int)

  /// One FETCH response has two bodies.
  case secondBody

  /// Octets came between the OK to STARTTLS and the handshake: responses are injected
  /// (RFC 9051 §6.2.1, CVE-2021-33515).
  case dataBeforeTLS
}
