/// A step of the conversation: what a reply answers, and what is being waited for.
package enum Step: Hashable, Sendable, CaseIterable {
  /// The server's first words.
  case greeting
  /// EHLO or HELO.
  case hello
  /// STARTTLS (RFC 3207).
  case startTLS
  /// AUTH and its challenges (RFC 4954).
  case authentication
  /// MAIL.
  case sender
  /// RCPT.
  case recipient
  case data
  /// The message on its way, before its end.
  case message
  /// The line with the final dot.
  case endOfData
  /// RSET.
  case reset
  case noop
  case quit

  /// How long to wait for the step, in seconds (RFC 5321 §4.5.3.2).
  ///
  /// For `message` the time of one write, not of them all. Steps the RFC has no time for get
  /// 5 minutes as most others do; QUIT, on which nothing depends, gets 10 seconds.
  package var timeout: Int {
    switch self {
    case .data: 120
    case .message: 180
    case .endOfData: 600
    case .quit: 10
    case .greeting, .hello, .startTLS, .authentication, .sender, .recipient, .reset, .noop: 300
    }
  }

  /// Whether a reply to it speaks of a message or a recipient, not of the account.
  package var concernsMessage: Bool {
    switch self {
    case .sender, .recipient, .data, .message, .endOfData: true
    case .greeting, .hello, .startTLS, .authentication, .reset, .noop, .quit: false
    }
  }
}
