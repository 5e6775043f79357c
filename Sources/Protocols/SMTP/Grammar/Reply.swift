internal import Octets

/// What a server answers to one command: a code and words for people (RFC 5321 §4.2).
package struct Reply: Hashable, Sendable {
  /// The code of the last line, 200…599.
  package let code: UInt16

  /// What follows the code in each line, at least one, possibly empty; octets of a stranger.
  package let lines: [[UInt8]]

  package init(code: UInt16, lines: [[UInt8]]) {
    self.code = code
    self.lines = lines
  }

  /// The enhanced status at the start of the first line; `nil` when there is none.
  ///
  /// One that contradicts the code (RFC 2034 §4) counts as words.
  package var status: EnhancedStatus? {
    guard let line = lines.first, let status = EnhancedStatus(startOf: line[...]),
      status.kind == code / 100
    else { return nil }
    return status
  }

  /// The words of all lines with a space between them, enhanced status included.
  package var text: [UInt8] {
    [UInt8](lines.joined(separator: [ASCII.space]))
  }

  /// Whether the command was carried out: 2yz.
  package var isPositive: Bool { code / 100 == 2 }

  /// Whether the server wants more before it carries the command out: 3yz.
  package var isIntermediate: Bool { code / 100 == 3 }

  /// Whether the same command may be carried out later: 4yz.
  package var isTransient: Bool { code / 100 == 4 }

  /// Whether the command will not be carried out: 5yz.
  package var isPermanent: Bool { code / 100 == 5 }

  /// Whether the server closes the connection, whatever was asked (RFC 5321 §3.8): 421.
  package var isClosing: Bool { code == 421 }
}

extension Reply: CustomStringConvertible {
  package var description: String {
    text.isEmpty ? "\(code)" : "\(code) \(Printable.text(text))"
  }
}

/// What a server may ask of our memory before it counts as hostile or broken.
package struct ReplyLimits: Hashable, Sendable {
  /// The longest line of a reply, in octets with its line end; 16 KiB.
  ///
  /// Replies have 512 octets by RFC 5321 §4.5.3.1.5, challenges 12,288 by RFC 4954 §4.
  package var lineLength: Int

  /// The most lines in one reply; 128.
  package var lineCount: Int

  /// The limits given; each as documented where it is left out.
  package init(lineLength: Int = 16 << 10, lineCount: Int = 128) {
    self.lineLength = lineLength
    self.lineCount = lineCount
  }

  /// The limits for servers on the Internet.
  package static let standard = ReplyLimits()
}

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
