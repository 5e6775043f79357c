/// What a reply concerns, and whether trying again can help.
///
/// Before MAIL a refusal concerns the account and everything in its queue; from MAIL on it concerns one message or recipient.
/// There are two exceptions: a code about the connection (421), and a demand for a log-in where there was none. Servers say
/// 530, 535 and the like to recipients and messages, too: to a client that has logged in, or need not, they mean these.
package enum ReplyClassification: Hashable, Sendable {
  /// The step succeeded, or goes on.
  case positive

  /// Nothing can be sent with this account as things are.
  case account(AccountProblem)

  /// This message or this recipient is refused; others are not concerned.
  case message(isTemporary: Bool)

  /// The classification of a reply to a step; `isLoggedIn` says whether an AUTH had succeeded before.
  package init(_ reply: Reply, at step: Step, isLoggedIn: Bool = false) {
    if reply.isClosing {
      self = .account(.temporary)
    } else if reply.isPositive || reply.isIntermediate && step.mayGoOn {
      self = .positive
    } else if let problem = Self.authenticationProblem(reply, step, isLoggedIn) {
      self = .account(problem)
    } else if step.concernsMessage {
      self = .message(isTemporary: reply.isTransient || Self.isTooManyRecipients(reply, step))
    } else {
      self = .account(reply.isTransient ? .temporary : .permanent)
    }
  }

  private static func authenticationProblem(
    _ reply: Reply,
    _ step: Step,
    _ isLoggedIn: Bool
  ) -> AccountProblem? {
    if !isLoggedIn, isDemandForLogIn(reply, step) { return .authenticationRequired }
    guard step == .authentication else { return nil }
    return switch reply.code {
    case 530: .authenticationRequired
    case 534: .mechanism
    case 535: .credentials
    case 538: .encryptionRequired
    default: reply.status == EnhancedStatus(5, 7, 8) ? .credentials : nil
    }
  }

  /// Whether a client that did not log in is told to: some servers answer MAIL so with 535, others only RCPT.
  private static func isDemandForLogIn(_ reply: Reply, _ step: Step) -> Bool {
    switch step {
    case .sender: reply.code == 530 || reply.code == 535
    case .recipient: reply.code == 530 && reply.status.map { $0 == EnhancedStatus(5, 7, 0) } ?? true
    case .greeting, .hello, .startTLS, .authentication, .data, .message, .endOfData, .reset, .noop,
      .quit:
      false
    }
  }

  /// 552 to RCPT is the old way to say "too many recipients" and counts as 452
  /// (RFC 5321 §4.5.3.1.10), unless its status says that something else is meant.
  private static func isTooManyRecipients(_ reply: Reply, _ step: Step) -> Bool {
    guard step == .recipient, reply.code == 552 else { return false }
    return reply.status.map { $0 == EnhancedStatus(5, 5, 3) } ?? true
  }
}

extension Step {
  /// Whether a 3yz reply is a way to succeed.
  fileprivate var mayGoOn: Bool { self == .authentication || self == .data }
}

/// What keeps an account from sending anything at all.
package enum AccountProblem: Hashable, Sendable {
  /// The server cannot now: 421 anywhere, 4yz before a transaction (454 to AUTH too).
  case temporary

  /// User name, password or token is wrong: 535 to AUTH, or any 5yz with status 5.7.8.
  case credentials

  /// The mechanism is not good enough for this user: 534 to AUTH; often "application password required".
  case mechanism

  /// The server wants AUTH first, or STARTTLS: 530 to AUTH; where there was no AUTH also 530 or 535 to MAIL, and 530 to RCPT.
  case authenticationRequired

  /// The mechanism needs an encrypted connection: 538 to AUTH.
  case encryptionRequired

  /// The server refuses for good for another reason.
  case permanent

  /// Whether another secret, user or mechanism would help.
  package var isAuthentication: Bool {
    switch self {
    case .credentials, .mechanism, .authenticationRequired: true
    case .temporary, .encryptionRequired, .permanent: false
    }
  }
}
