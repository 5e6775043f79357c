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
  private var smtp: SMTPStream

  /// How far the message sent last came.
  private var reached = Delivery.Reached.envelope

  /// Whether replies to the message begun last may have been ones to the message before: it was taken
  /// for several recipients, and a server may answer its end once for each of them (RFC 2033).
  private(set) var mayBeOutOfStep = false

  /// The number of messages begun.
  package private(set) var transactions = 0

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
    return (extensions.transactionLimit.map { transactions < $0 } ?? true) && smtp.isSilent()
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
  ///   - message: its octets, lines ended by LF or CR LF; read piece by piece.
  ///   - facts: what a `MessageScanner` found out about it.
  ///   - envelope: who gets it.
  ///   - willEnd: called before the end of the message is sent, with the numbers of the recipients
  ///     who are to get it; when it throws, the end is not sent.
  /// - Returns: what came of it.
  func deliver(
    _ message: any OctetSource,
    _ facts: MessageFacts,
    to envelope: Envelope,
    willEnd: ([Int]) throws(SpoolError) -> Void
  ) -> Delivery {
    let taken = smtp.session.outcome?.recipients.count(where: \.isAccepted) ?? 0
    let lacking: Set<Shortfall>
    do throws(EnvelopeError) {
      lacking = try smtp.session.begin(envelope, facts)
    } catch {
      return .impossible(error)
    }
    transactions += 1
    mayBeOutOfStep = taken > 1
    defer { smtp.stream.heedsInterruption = true }
    reached = .envelope
    var failure: SubmissionFailure?
    do throws(SubmissionFailure) {
      try transact(message, willEnd)
    } catch {
      failure = error
    }
    let outcome =
      smtp.session.outcome
      ?? TransactionOutcome(recipients: envelope.recipients.map { _ in .undecided })
    return .attempted(
      DeliveryAttempt(
        outcome: outcome,
        lacking: lacking,
        reached: reached,
        failure: failure ?? outcome.obstacle.map { .refused($0) }
      )
    )
  }

  private func transact(
    _ message: any OctetSource,
    _ willEnd: ([Int]) throws(SpoolError) -> Void
  ) throws(SubmissionFailure) {
    while true {
      switch try smtp.nextEvent() {
      case .messageWanted: try send(message, willEnd)
      case .delivery:
        if case .closing(let reply, _) = smtp.takeEvent() { throw .closing(reply) }
        return
      case .closing(let reply, _): throw .closing(reply)
      case .greeting, .hello, .startTLS, .challenge, .authentication, .reset, .noop, .quit: break
      }
    }
  }

  private func send(
    _ message: any OctetSource,
    _ willEnd: ([Int]) throws(SpoolError) -> Void
  ) throws(SubmissionFailure) {
    reached = .message
    var pieces = message.pieces
    while smtp.session.state == .message, let piece = try next(of: &pieces) {
      try encoding { () throws(MessageError) in try smtp.session.send(message: piece) }
      try smtp.drain()
    }
    // It may have broken off meanwhile.
    guard smtp.session.state == .message, let outcomes = smtp.session.outcome?.recipients else {
      return
    }
    do throws(SpoolError) {
      try willEnd(outcomes.indices.filter { outcomes[$0] == .undecided })
    } catch {
      throw .spool(error)
    }
    // From here to the reply it is unknown whether the server has it: that state is not left without need.
    smtp.stream.heedsInterruption = false
    reached = .end
    try encoding { () throws(MessageError) in try smtp.session.endMessage() }
    FaultPoint.pass("end of message before")
    try smtp.drain()
    FaultPoint.pass("end of message after")
  }

  private func next(of pieces: inout OctetPieces) throws(SubmissionFailure) -> ArraySlice<UInt8>? {
    do throws(MessageError) {
      return try MessageError.next(of: &pieces)
    } catch {
      throw .message(error)
    }
  }

  private func encoding(_ body: () throws(MessageError) -> Void) throws(SubmissionFailure) {
    do {
      try body()
    } catch {
      throw .message(error)
    }
  }
}
