internal import SMTP

/// What a server has answered to messages that went together, in their order.
struct FlightAnswers {
  private let count: Int
  private var lacking: [Set<Shortfall>] = []
  private var ended = 0
  private var outcomes: [TransactionOutcome] = []

  /// How many of the answers were passed on.
  private(set) var told = 0

  /// What ended the conversation; `nil` while nothing did.
  var failure: SubmissionFailure?

  init(count: Int) { self.count = count }

  /// Whether all messages are answered.
  var isComplete: Bool { outcomes.count >= count }

  /// A message was begun, and is sent without this.
  mutating func begin(_ lacking: Set<Shortfall>) { self.lacking.append(lacking) }

  /// The end of the message begun last is given.
  mutating func end() { ended += 1 }

  mutating func add(_ outcome: TransactionOutcome) { outcomes.append(outcome) }

  /// The attempts that were answered since the last call; not one at which the conversation ended.
  mutating func takeNew() -> [DeliveryAttempt] {
    defer { told = outcomes.count }
    return (told..<outcomes.count).map { attempt($0, outcomes[$0], nil) }
  }

  /// The attempts that were not passed on, with what is known of those without an answer.
  mutating func rest(_ open: [TransactionOutcome]) -> [DeliveryAttempt] {
    // A server that says that it closes the connection says so in place of an answer.
    let isSaid = if case .closing = failure { outcomes.count > told } else { false }
    let broken = isSaid ? outcomes.count - 1 : min(outcomes.count, count - 1)
    let known = outcomes + open
    return (told..<count).map { index in
      let outcome =
        index < known.count ? known[index] : TransactionOutcome(recipients: [.undecided])
      guard failure != nil, index >= broken else { return attempt(index, outcome, nil) }
      return attempt(index, outcome, failure, index > broken ? .behindFailure : .flight)
    }
  }

  private func attempt(
    _ index: Int,
    _ outcome: TransactionOutcome,
    _ failure: SubmissionFailure?,
    _ place: DeliveryAttempt.Place = .flight
  ) -> DeliveryAttempt {
    DeliveryAttempt(
      outcome: outcome,
      lacking: index < lacking.count ? lacking[index] : [],
      reached: index < ended ? .end : index < lacking.count ? .message : .envelope,
      failure: failure ?? outcome.obstacle.map { .refused($0) },
      place: place
    )
  }
}
