internal import Configuration
internal import Octets
internal import Platform
package import SMTP
internal import Spool
internal import Transport

/// A connection to a server for sending: greeting, EHLO and STARTTLS, then messages, one after the other.
///
/// Used by one thread at a time.
package final class SubmissionConnection {
  /// How long a server that was never seen to read behind the end of a message has to answer what came there, in seconds.
  private static let announcementLimit = 20.0

  var smtp: SMTPStream

  /// How far the message sent last came.
  var reached = Delivery.Reached.envelope

  /// What became of the message sent last, once the server has said that.
  private var answer: TransactionOutcome?

  /// For how many recipients the message sent last was taken.
  var takenCount = 0

  /// What the message whose commands came behind the end of the one before is sent without; `nil` where there is none.
  private var announced: Set<Shortfall>?

  /// Whether the server has answered commands that came behind the end of a message.
  package private(set) var keepsStep = false

  /// Whether replies to the message begun last may have been ones to the message before: it was taken
  /// for several recipients, and a server may answer its end once for each of them (RFC 2033).
  var mayBeOutOfStep = false

  /// The number of messages begun.
  package var transactions = 0

  init(
    _ stream: ByteStream,
    to server: SubmissionServer,
    stepLimit: Int?,
    budget: WaitBudget?,
    trace: (@Sendable (String) -> Void)?
  ) {
    smtp = SMTPStream(stream, to: server, stepLimit: stepLimit, budget: budget, trace: trace)
  }

  /// What the server offers.
  package var extensions: Extensions { smtp.session.extensions }

  /// Whether the connection is encrypted.
  package var isEncrypted: Bool { smtp.stream.isEncrypted }

  /// What a log-in can be bound to, best first; empty without encryption.
  var bindings: [TLSBinding] { smtp.stream.bindings }

  /// Whether another message can be sent over it.
  ///
  /// It cannot where the server has sent anything since. This would be taken for the reply to the next command, and each reply
  /// after it for that to another one.
  package func isUsable() -> Bool {
    guard smtp.session.state == .ready, smtp.session.isIdle, smtp.events.isEmpty else {
      return false
    }
    return hasRoom(for: 1) && smtp.isSilent()
  }

  /// Whether the server takes so many more messages over it, as far as it says.
  func hasRoom(for count: Int) -> Bool {
    extensions.transactionLimit.map { transactions + count <= $0 } ?? true
  }

  /// Whether the message sent last was taken for several recipients: a server may answer its end once for each of them.
  var wasForSeveral: Bool { takenCount > 1 }

  /// Whether the commands of a message came behind the end of the one before.
  var hasAnnounced: Bool { announced != nil }

  /// Whether the server has answered the first of them.
  var isAnnouncementAnswered: Bool { smtp.session.isSenderAnswered }

  /// Whether that message can be sent now.
  func isExpectingAnnounced() -> Bool {
    hasAnnounced && smtp.session.state != .closed && smtp.takeArrived()
  }

  /// Sends QUIT if that makes sense, and closes the connection.
  package func close() {
    if smtp.session.state != .closed, smtp.session.isIdle {
      smtp.session.send(.quit)
      // The answer changes nothing, but a server that gets no time to give it logs an error.
      _ = try? smtp.nextEvent(limit: 2)
    }
    smtp.reportTrace()
    smtp.stream.close()
  }
}

// The beginning.
extension SubmissionConnection {
  /// Waits for the greeting.
  func greet() throws(SubmissionFailure) {
    while true {
      if case .greeting(let reply) = try smtp.nextEvent() { return try check(reply, at: .greeting) }
    }
  }

  func hello(_ name: ClientName, needsExtensions: Bool) throws(SubmissionFailure) {
    smtp.session.send(.hello(name, needsExtensions: needsExtensions))
    while true {
      if case .hello(let reply) = try smtp.nextEvent() { return try check(reply, at: .hello) }
    }
  }

  func startTLS(_ policy: TLSPolicy, deadline: Deadline) throws(SubmissionFailure) {
    guard extensions.hasStartTLS else { throw .startTLSUnavailable }
    smtp.session.send(.startTLS)
    while true {
      guard case .startTLS(let reply) = try smtp.nextEvent() else { continue }
      try check(reply, at: .startTLS)
      break
    }
    do {
      try smtp.session.startedTLS()
    } catch {
      throw .protocolViolation(error)
    }
    do {
      try smtp.stream.startTLS(policy, deadline: deadline)
    } catch {
      throw SMTPStream.failure(error, smtp.server, seconds: SubmissionDialer.connectLimit)
    }
  }

  private func check(_ reply: Reply, at step: Step) throws(SubmissionFailure) {
    guard !reply.isPositive else { return }
    throw .refused(Refusal(reply, at: step))
  }

  func send(_ command: SMTPCommand) { smtp.session.send(command) }

  func respond(_ response: [UInt8]?) { smtp.session.respond(response) }

  /// The next thing that happens.
  func nextEvent() throws(SubmissionFailure) -> SMTPEvent { try smtp.nextEvent() }
}

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
    mayBeOutOfStep = takenCount > 1
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
