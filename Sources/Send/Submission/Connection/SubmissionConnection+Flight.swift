internal import Platform
internal import SMTP
internal import Transport

// Several messages at once.
extension SubmissionConnection {
  /// Whether messages can be sent together over it.
  var takesFlights: Bool { smtp.session.canBeginChunk }

  /// Sends messages with all their commands, and takes the answers then (RFC 3030).
  ///
  /// It must be known of each of them that its end is about to be sent.
  ///
  /// - Parameters:
  ///   - flight: the messages.
  ///   - didAnswer: called with the attempts that the server has answered since the last call, and the number of the first
  ///     of them.
  /// - Returns: what came of those of which it was not told.
  func deliver(
    _ flight: [OfferedMessage],
    didAnswer: (Int, [DeliveryAttempt]) -> Void
  ) -> [DeliveryAttempt] {
    defer { smtp.stream.heedsInterruption = true }
    (smtp.senderLimit, mayBeOutOfStep, takenCount) = (nil, false, 0)
    var answers = FlightAnswers(count: flight.count)
    do throws(SubmissionFailure) {
      for offered in flight where smtp.session.canBeginChunk {
        try send(offered, &answers)
      }
      while !answers.isComplete {
        try record(try smtp.nextEvent(), &answers)
        while let event = smtp.takeEvent() { try record(event, &answers) }
        let first = answers.told
        didAnswer(first, answers.takeNew())
      }
    } catch {
      answers.failure = error
    }
    // What came before the connection broke counts.
    while let event = smtp.takeEvent() {
      do throws(SubmissionFailure) {
        try record(event, &answers)
      } catch {
        answers.failure = error
      }
    }
    return answers.rest(smtp.session.openOutcomes)
  }

  private func send(
    _ offered: OfferedMessage,
    _ answers: inout FlightAnswers
  ) throws(SubmissionFailure) {
    do throws(EnvelopeError) {
      answers.begin(try smtp.session.beginChunk(offered.envelope, offered.facts))
    } catch {
      // It was looked at before: the server offers something else by now.
      throw .transport(.closed)
    }
    transactions += 1
    try sendPieces(of: offered.message)
    guard smtp.session.state == .message else { return }
    // Up to the reply it is unknown whether the server has it: that state is not left without need.
    smtp.stream.heedsInterruption = false
    try encoding { () throws(MessageError) in try smtp.session.endMessage() }
    answers.end()
    FaultPoint.pass("end of message before")
    try smtp.drain()
    FaultPoint.pass("end of message after")
  }

  private func record(
    _ event: SMTPEvent,
    _ answers: inout FlightAnswers
  ) throws(SubmissionFailure) {
    switch event {
    case .delivery(let outcome): answers.add(outcome)
    case .closing(let reply, _): throw .closing(reply)
    case .greeting, .hello, .startTLS, .challenge, .authentication, .messageWanted, .reset, .noop,
      .quit:
      break
    }
  }
}
