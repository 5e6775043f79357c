internal import SMTP
internal import SpoolPlan

/// Gathers what became of recipients into as few facts as there are answers.
struct RecipientFacts {
  private let attempt: DeliveryAttempt

  /// When recipients that were refused for now are tried again.
  private let until: Int64

  /// Whether nothing is noted of recipients about which the server said nothing.
  private let leavesUndecided: Bool

  private var gathered: [LogFact] = []

  /// The facts; what the server has taken comes first, since a crash may cut off the rest.
  var facts: [LogFact] {
    gathered.filter(\.isAcceptance) + gathered.filter { !$0.isAcceptance }
  }

  init(_ attempt: DeliveryAttempt, until: Int64, leavesUndecided: Bool) {
    self.attempt = attempt
    self.leavesUndecided = leavesUndecided
    self.until = until
  }

  mutating func add(_ number: Int, _ outcome: RecipientOutcome) {
    switch outcome {
    case .accepted(let reply): join(.accepted([number], Self.words(reply)))
    case .refused(let refusal): join(.refused([number], Self.words(refusal)))
    case .deferred(let refusal): join(.deferred([number], until: until, Self.words(refusal)))
    case .uncertain: join(.unanswered([number], until: until, why))
    case .undecided: if !leavesUndecided || attempt.place == .behindFailure { addUndecided(number) }
    }
  }

  private mutating func addUndecided(_ number: Int) {
    // Else a message at which the conversation breaks off would be the first to be tried for ever.
    if attempt.isLoss {
      join(.deferred([number], until: until, why))
    } else if attempt.isNotedInVain {
      join(.unsent([number], why))
    }
  }

  private var why: [UInt8] {
    attempt.failure.map { [UInt8](FailureText.text($0).utf8) } ?? []
  }

  /// Adds the fact, to one of the same kind and words if there is one.
  private mutating func join(_ fact: LogFact) {
    for index in gathered.indices {
      guard let both = gathered[index].joined(fact) else { continue }
      gathered[index] = both
      return
    }
    gathered.append(fact)
  }

  private static func words(_ reply: Reply) -> [UInt8] {
    [UInt8]("\(reply.code) ".utf8) + reply.text
  }

  private static func words(_ refusal: Refusal) -> [UInt8] {
    words(refusal.reply) + [UInt8](" (to \(refusal.step.command))".utf8)
  }
}

extension LogFact {
  /// Whether a recipient has the message.
  var isAcceptance: Bool {
    if case .accepted = self { true } else { false }
  }
}

extension Step {
  /// What was said to the server, in its own language.
  var command: String {
    switch self {
    case .greeting: "the connection"
    case .hello: "EHLO"
    case .startTLS: "STARTTLS"
    case .authentication: "AUTH"
    case .sender: "MAIL"
    case .recipient: "RCPT"
    case .data: "DATA"
    case .message: "the message"
    case .endOfData: "the end of the message"
    case .reset: "RSET"
    case .noop: "NOOP"
    case .quit: "QUIT"
    }
  }
}
