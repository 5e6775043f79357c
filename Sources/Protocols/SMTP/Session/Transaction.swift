/// What is known of a transaction while it runs and after it.
struct Transaction: Sendable {
  /// What the server said to each command so far; `nil` where nothing yet.
  private(set) var sender: Reply?
  private(set) var recipients: [Reply?]
  private(set) var data: Reply?
  private(set) var end: Refusal?

  /// Whether the end of a message with recipients was given out.
  private(set) var isEndGiven = false

  /// Whether the server has forgotten the transaction on demand.
  private var isReset = false

  /// A reply that closes the connection and answers no command of the transaction.
  private var closing: Refusal?

  /// Whether the server closed the connection before it came to this transaction.
  private var isUnread = false

  /// Whether an AUTH had succeeded before.
  private let isLoggedIn: Bool

  /// Whether the message went with its commands.
  private let isChunked: Bool

  init(recipientCount: Int, isLoggedIn: Bool, isChunked: Bool) {
    recipients = Array(repeating: nil, count: recipientCount)
    self.isLoggedIn = isLoggedIn
    self.isChunked = isChunked
  }

  /// Whether the server has agreed to MAIL and to a recipient at least.
  var hasRecipient: Bool {
    sender?.isPositive ?? false && isRecipientNamed
  }

  /// Whether the server has agreed to a recipient, be it without MAIL.
  var isRecipientNamed: Bool { recipients.contains { $0?.isPositive ?? false } }

  /// Whether the server is left with MAIL without end: the next one would be refused.
  var needsReset: Bool { sender?.isPositive ?? false && end == nil && !isReset }

  mutating func received(_ reply: Reply, to expectation: Expectation) {
    switch expectation {
    case .sender: sender = reply
    case .recipient(let index): recipients[index] = reply
    case .data: data = reply
    case .endOfData: end = refusal(reply, at: .endOfData)
    case .greeting, .hello, .oldHello, .startTLS, .authentication, .noop, .quit, .reset: break
    }
  }

  /// A reply came in the midst of the message, which therefore is not completed.
  mutating func interrupted(by reply: Reply) {
    end = refusal(reply, at: .message)
  }

  /// The server closed the connection in place of some reply.
  mutating func closed(by reply: Reply, at step: Step) {
    closing = refusal(reply, at: step)
  }

  /// The server closed the connection over a transaction before this one.
  mutating func wasNotRead() {
    isUnread = true
  }

  mutating func wasReset() {
    isReset = true
  }

  mutating func gaveEnd() {
    isEndGiven = true
  }

  var outcome: TransactionOutcome {
    TransactionOutcome(recipients: recipients.map(outcome(of:)), obstacle: obstacle)
  }

  private func outcome(of recipient: Reply?) -> RecipientOutcome {
    guard let sender else { return unanswered }
    // Whatever the server said to MAIL: what it says it has is not sent again.
    if isChunked, let recipient, recipient.isPositive, let end, end.reply.isPositive {
      return .accepted(end.reply)
    }
    if !sender.isPositive { return outcome(after: refusal(sender, at: .sender)) }
    guard let recipient else { return unanswered }
    if !recipient.isPositive { return outcome(after: refusal(recipient, at: .recipient)) }
    if let end { return end.reply.isPositive ? .accepted(end.reply) : outcome(after: end) }
    if let data, !data.isIntermediate { return outcome(after: refusal(data, at: .data)) }
    return unanswered
  }

  /// The outcome where no reply came: a server that has said that it closes the connection reads no further.
  private var unanswered: RecipientOutcome {
    isEndGiven && closing == nil && !isUnread ? .uncertain : .undecided
  }

  private func outcome(after refusal: Refusal) -> RecipientOutcome {
    switch refusal.classification {
    case .message(isTemporary: true): .deferred(refusal)
    case .message(isTemporary: false): .refused(refusal)
    case .account, .positive: .undecided
    }
  }

  private func refusal(_ reply: Reply, at step: Step) -> Refusal {
    Refusal(reply, at: step, isLoggedIn: isLoggedIn)
  }

  private var obstacle: Refusal? {
    var refusals = [closing, sender.map { refusal($0, at: .sender) }]
    refusals += recipients.map { $0.map { refusal($0, at: .recipient) } }
    refusals += [data.map { refusal($0, at: .data) }, end]
    return refusals.compactMap(\.self).first { refusal in
      if case .account = refusal.classification { true } else { false }
    }
  }
}
