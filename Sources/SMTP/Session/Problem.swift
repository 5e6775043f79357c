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

  /// A line is longer than `Limits.lineLength`, in octets.
  case lineTooLong(limit: Int)

  /// A reply has more lines than `Limits.lineCount`.
  case tooManyLines(limit: Int)

  /// Octets came between the 220 to STARTTLS and the handshake: replies are injected
  /// (RFC 3207 §6, CVE-2011-0411).
  case dataBeforeTLS
}
