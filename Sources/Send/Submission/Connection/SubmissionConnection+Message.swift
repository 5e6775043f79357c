internal import Octets
internal import Platform
internal import SMTP
internal import Spool
internal import Transport

// Messages.
extension SubmissionConnection {
  /// Sends a message.
  ///
  /// - Parameters:
  ///   - offered: the message; the one that was announced, where one was.
  ///   - next: asked for the message that is to come next, right before the end of this one: its commands go behind that, and
  ///     `hasAnnounced` afterwards.
  ///   - willEnd: called before the end of the message is sent, with the numbers of the recipients
  ///     who are to get it; when it throws, the end is not sent.
  /// - Returns: what came of it.
  func deliver(
    _ offered: OfferedMessage,
    announcing next: () -> OfferedMessage?,
    willEnd: ([Int]) throws(SpoolError) -> Void
  ) -> Delivery {
    let isAnnounced = hasAnnounced
    let lacking: Set<Shortfall>
    do throws(EnvelopeError) {
      lacking =
        if let announced { announced } else {
          try smtp.session.begin(offered.envelope, offered.facts)
        }
    } catch {
      return .impossible(error)
    }
    announced = nil
    transactions += 1
    // A server that refused the message before in its midst took the rest of it, and the end, for commands.
    mayBeOutOfStep = takenCount > 1 || isAnnounced && takenCount == 0
    smtp.senderLimit = isAnnounced && !keepsStep ? Self.announcementLimit : nil
    defer { smtp.stream.heedsInterruption = true }
    reached = .envelope
    var failure: SubmissionFailure?
    answer = nil
    do throws(SubmissionFailure) {
      try transact(offered, isAnnounced: isAnnounced, next, willEnd)
    } catch {
      failure = error
      // What was answered is not to blame for a connection that broke behind it: the next message finds that.
      if answer == nil, takeAnswer(), hasAnnounced { failure = nil }
    }
    if isAnnounced, answer != nil || reached != .envelope || smtp.session.isSenderAnswered {
      keepsStep = true
    }
    let outcome =
      answer ?? smtp.session.outcome
      ?? TransactionOutcome(recipients: offered.envelope.recipients.map { _ in .undecided })
    takenCount = outcome.recipients.count(where: \.isAccepted)
    return .attempted(
      DeliveryAttempt(
        outcome: outcome,
        lacking: lacking,
        reached: reached,
        failure: failure ?? outcome.obstacle.map { .refused($0) },
        place: isAnnounced && !keepsStep ? .announced : .alone
      )
    )
  }

  /// Takes the answer to the message that came although what followed it could not be sent; `false` where none did.
  private func takeAnswer() -> Bool {
    while answer == nil, let event = smtp.takeEvent() {
      if case .delivery(let outcome) = event { answer = outcome }
    }
    return answer != nil
  }

  private func transact(
    _ offered: OfferedMessage,
    isAnnounced: Bool,
    _ next: () -> OfferedMessage?,
    _ willEnd: ([Int]) throws(SpoolError) -> Void
  ) throws(SubmissionFailure) {
    while true {
      switch try smtp.nextEvent() {
      case .messageWanted:
        if isAnnounced { keepsStep = true }
        try send(offered.message, next, willEnd)
      case .delivery(let outcome):
        answer = outcome
        if let reply = smtp.takeClosing() { throw .closing(reply) }
        return
      case .closing(let reply, _): throw .closing(reply)
      case .greeting, .hello, .startTLS, .challenge, .authentication, .reset, .noop, .quit: break
      }
    }
  }

  private func send(
    _ message: any OctetSource,
    _ next: () -> OfferedMessage?,
    _ willEnd: ([Int]) throws(SpoolError) -> Void
  ) throws(SubmissionFailure) {
    reached = .message
    try sendPieces(of: message)
    // It may have broken off meanwhile.
    guard smtp.session.state == .message, let outcomes = smtp.session.outcome?.recipients else {
      return
    }
    let next = extensions.hasPipelining && hasRoom(for: 1) ? next() : nil
    do throws(SpoolError) {
      try willEnd(outcomes.indices.filter { outcomes[$0] == .undecided })
    } catch {
      throw .spool(error)
    }
    // From here to the reply it is unknown whether the server has it: that state is not left without need.
    smtp.stream.heedsInterruption = false
    reached = .end
    try encoding { () throws(MessageError) in try smtp.session.endMessage() }
    if let next, smtp.session.canAnnounce {
      announced = try? smtp.session.announce(next.envelope, next.facts)
    }
    FaultPoint.pass("end of message before")
    try smtp.drain()
    FaultPoint.pass("end of message after")
  }

  /// Sends all octets of a message but those that may end it.
  func sendPieces(of message: any OctetSource) throws(SubmissionFailure) {
    var pieces = message.pieces
    while smtp.session.state == .message, let piece = try self.next(of: &pieces) {
      try encoding { () throws(MessageError) in try smtp.session.send(message: piece) }
      try smtp.drain()
    }
  }

  private func next(of pieces: inout OctetPieces) throws(SubmissionFailure) -> ArraySlice<UInt8>? {
    do throws(MessageError) {
      return try MessageError.next(of: &pieces)
    } catch {
      throw .message(error)
    }
  }

  func encoding(_ body: () throws(MessageError) -> Void) throws(SubmissionFailure) {
    do {
      try body()
    } catch {
      throw .message(error)
    }
  }
}
