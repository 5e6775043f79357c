import Octets
import SMTP

/// Events and outcomes as people read them in a fixture.
enum OutcomeText {
  static func event(_ event: SMTPEvent) -> String {
    switch event {
    case .greeting(let reply): "greeting \(reply)"
    case .hello(let reply): "hello \(reply)"
    case .startTLS(let reply): "starttls \(reply)"
    case .challenge(let octets): "challenge “\(Printable.text(octets))”"
    case .authentication(let reply): "auth \(reply)"
    case .messageWanted: "message wanted"
    case .delivery(let outcome): "delivery \(self.outcome(outcome))"
    case .reset(let reply): "reset \(reply)"
    case .noop(let reply): "noop \(reply)"
    case .quit(let reply): "quit \(reply)"
    case .closing(let reply, let step): "closing \(reply)\(step.map { " at \($0)" } ?? "")"
    }
  }

  static func outcome(_ outcome: TransactionOutcome) -> String {
    let recipients = outcome.recipients.map(recipient).joined(separator: ", ")
    return outcome.obstacle.map { "\(recipients); obstacle \(refusal($0))" } ?? recipients
  }

  static func classification(_ classification: ReplyClassification) -> String {
    switch classification {
    case .positive: "positive"
    case .account(let problem): "account \(problem)"
    case .message(isTemporary: let isTemporary):
      "message \(isTemporary ? "temporary" : "permanent")"
    }
  }

  private static func recipient(_ outcome: RecipientOutcome) -> String {
    switch outcome {
    case .accepted(let reply): "accepted (\(reply))"
    case .deferred(let refusal): "deferred \(self.refusal(refusal))"
    case .refused(let refusal): "refused \(self.refusal(refusal))"
    case .undecided: "undecided"
    case .uncertain: "uncertain"
    }
  }

  private static func refusal(_ refusal: Refusal) -> String {
    "at \(refusal.step) (\(refusal.reply))"
  }
}
