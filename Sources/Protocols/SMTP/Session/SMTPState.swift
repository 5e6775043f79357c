/// Where a session stands, and the only places where that changes.
///
/// Rule 1. A session starts in `greeting`; a positive greeting leads to `greeted`.
/// Rule 2. A positive reply to EHLO or HELO leads to `ready`, TLS just started back to `greeted`.
/// Rule 3. Beginning a transaction leads from `ready` to `transaction`; a positive reply to DATA,
///         with a recipient accepted, to `message`; the end of data back to `transaction`.
/// Rule 4. The last reply of a transaction leads to `ready`.
/// Rule 5. 421 leads to `closed` from anywhere, and so do the reply to QUIT, a refusal that
///         nothing asked for, one in the midst of a message, a message that cannot be completed,
///         a request for one that has no recipient but might reach one, and a breach of the protocol.
///         Nothing leads out of it.
package enum SMTPState: Hashable, Sendable {
  /// Nothing was received yet, or a greeting that refuses us.
  case greeting
  /// The server waits for EHLO.
  case greeted
  /// A message may be sent.
  case ready
  /// A message is being sent: replies are to come.
  case transaction
  /// The server waits for the message itself.
  case message
  /// The connection is no longer usable.
  case closed

  /// Rules 1, 2 and 5.
  mutating func received(_ reply: Reply, to step: Step) {
    if reply.isClosing || step == .quit { return close() }
    guard self != .closed, reply.isPositive else { return }
    switch step {
    case .greeting: self = .greeted
    case .hello: self = .ready
    case .startTLS, .authentication, .sender, .recipient, .data, .message, .endOfData, .reset,
      .noop,
      .quit:
      break
    }
  }

  /// Rule 2.
  mutating func startedTLS() { move(to: .greeted) }

  /// Rule 3.
  mutating func begun() { move(to: .transaction) }

  /// Rule 3.
  mutating func wantsMessage() { move(to: .message) }

  /// Rule 3.
  mutating func endedMessage() { move(to: .transaction) }

  /// Rule 4.
  mutating func endedTransaction() { move(to: .ready) }

  /// Rule 5.
  mutating func close() { self = .closed }

  private mutating func move(to state: SMTPState) {
    if self != .closed { self = state }
  }
}

/// A reply that is to come, and what it will mean.
enum Expectation: Hashable, Sendable {
  case greeting
  /// EHLO, and the name for HELO; nil where that is not wanted.
  case hello(ClientName?)
  case oldHello
  case startTLS
  case authentication
  case noop
  case quit
  /// RSET; whether the driver wants to know.
  case reset(isReported: Bool)
  case sender
  case recipient(Int)
  case data
  case endOfData

  var step: Step {
    switch self {
    case .greeting: .greeting
    case .hello, .oldHello: .hello
    case .startTLS: .startTLS
    case .authentication: .authentication
    case .noop: .noop
    case .quit: .quit
    case .reset: .reset
    case .sender: .sender
    case .recipient: .recipient
    case .data: .data
    case .endOfData: .endOfData
    }
  }
}
