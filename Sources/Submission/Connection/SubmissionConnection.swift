internal import Configuration
internal import Octets
internal import Platform
package import SMTP
internal import Spool
internal import Transport

/// An SMTP session over a byte stream: says commands, waits for replies as long as RFC 5321 §4.5.3.2
/// allows, and sends messages.
///
/// Used by one thread at a time.
package final class SubmissionConnection {
  private let stream: ByteStream
  private let server: SubmissionServer
  private let trace: (@Sendable (String) -> Void)?

  /// The most seconds to wait for a step other than the end of a message; `nil` for what the RFC says.
  private let stepLimit: Int?

  /// What all steps of a run share besides; `nil` for no end of it.
  private let patience: Patience?

  private var session = SMTPSession()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var outgoing: ArraySlice<UInt8> = []
  private var events: ArraySlice<SMTPEvent> = []

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
    patience: Patience?,
    trace: (@Sendable (String) -> Void)?
  ) {
    self.stream = stream
    self.server = server
    self.stepLimit = stepLimit
    self.patience = patience
    self.trace = trace
    session.isTracing = trace != nil
  }

  /// What the server offers.
  package var extensions: Extensions { session.extensions }

  /// Whether the connection is encrypted.
  package var isEncrypted: Bool { stream.isEncrypted }

  /// What a log-in can be bound to, best first; empty without encryption.
  var bindings: [TLSBinding] { stream.bindings }

  /// Whether another message can be sent over it.
  ///
  /// It cannot where the server has said anything since: what nothing asked for would be taken for
  /// the reply to the next command, and each reply after it for that to another one.
  package func isUsable() -> Bool {
    guard session.state == .ready, session.isIdle, events.isEmpty else { return false }
    return (extensions.transactionLimit.map { transactions < $0 } ?? true) && isSilent()
  }

  /// Whether nothing has come that was not asked for, nor the end of the connection; waits for nothing.
  private func isSilent() -> Bool {
    do throws(TransportError) {
      let progress = try stream.exchange(sending: [], into: &buffer, deadline: .now)
      // Whatever it means, the connection is given up; the trace shows it.
      _ = try? session.receive(buffer[..<progress.received])
      reportTrace()
      return false
    } catch {
      return error == .timedOut(.exchange) || error == .interrupted
    }
  }

  /// Sends QUIT if that makes sense, and closes the connection.
  package func close() {
    if session.state != .closed, session.isIdle {
      session.send(.quit)
      // The answer changes nothing, but a server that gets no time to give it logs an error.
      _ = try? nextEvent(limit: 2)
    }
    reportTrace()
    stream.close()
  }
}

// The beginning.
extension SubmissionConnection {
  /// Waits for the greeting.
  func greet() throws(SubmissionFailure) {
    while true {
      if case .greeting(let reply) = try nextEvent() { return try check(reply, at: .greeting) }
    }
  }

  func hello(_ name: ClientName, needsExtensions: Bool) throws(SubmissionFailure) {
    session.send(.hello(name, needsExtensions: needsExtensions))
    while true {
      if case .hello(let reply) = try nextEvent() { return try check(reply, at: .hello) }
    }
  }

  func startTLS(_ policy: TLSPolicy, deadline: Deadline) throws(SubmissionFailure) {
    guard extensions.hasStartTLS else { throw .startTLSUnavailable }
    session.send(.startTLS)
    while true {
      guard case .startTLS(let reply) = try nextEvent() else { continue }
      try check(reply, at: .startTLS)
      break
    }
    do {
      try session.startedTLS()
    } catch {
      throw .protocolViolation(error)
    }
    do {
      try stream.startTLS(policy, deadline: deadline)
    } catch {
      throw Self.failure(error, server, seconds: SubmissionDialer.connectLimit)
    }
  }

  private func check(_ reply: Reply, at step: Step) throws(SubmissionFailure) {
    guard !reply.isPositive else { return }
    throw .refused(Refusal(reply, at: step))
  }

  func send(_ command: SMTPCommand) { session.send(command) }

  func respond(_ response: [UInt8]?) { session.respond(response) }
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
    let taken = session.outcome?.recipients.count(where: \.isAccepted) ?? 0
    let lacking: Set<Shortfall>
    do throws(EnvelopeError) {
      lacking = try session.begin(envelope, facts)
    } catch {
      return .impossible(error)
    }
    transactions += 1
    mayBeOutOfStep = taken > 1
    defer { stream.heedsInterruption = true }
    reached = .envelope
    var failure: SubmissionFailure?
    do throws(SubmissionFailure) {
      try transact(message, willEnd)
    } catch {
      failure = error
    }
    let outcome =
      session.outcome ?? TransactionOutcome(recipients: envelope.recipients.map { _ in .undecided })
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
      switch try nextEvent() {
      case .messageWanted: try send(message, willEnd)
      case .delivery:
        if case .closing(let reply, _) = events.popFirst() { throw .closing(reply) }
        return
      case .closing(let reply, _): throw .closing(reply)
      default: break
      }
    }
  }

  private func send(
    _ message: any OctetSource,
    _ willEnd: ([Int]) throws(SpoolError) -> Void
  ) throws(SubmissionFailure) {
    reached = .message
    var pieces = message.pieces
    while session.state == .message, let piece = try next(of: &pieces) {
      try encoding { () throws(MessageError) in try session.send(message: piece) }
      try drain()
    }
    // It may have broken off meanwhile.
    guard session.state == .message, let outcomes = session.outcome?.recipients else { return }
    do throws(SpoolError) {
      try willEnd(outcomes.indices.filter { outcomes[$0] == .undecided })
    } catch {
      throw .spool(error)
    }
    // From here to the reply it is unknown whether the server has it: that state is not left without need.
    stream.heedsInterruption = false
    reached = .end
    try encoding { () throws(MessageError) in try session.endMessage() }
    FaultPoint.pass("end of message before")
    try drain()
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

  /// Sends all that is to be sent; takes what comes meanwhile.
  private func drain() throws(SubmissionFailure) {
    while true {
      outgoing += session.takeOutgoing()
      guard !outgoing.isEmpty, session.state != .closed else { return }
      let (seconds, count, start) = (
        limit(of: .message), outgoing.count, Clock.monotonicNanoseconds()
      )
      defer { spend(since: start, on: .message, sending: count - outgoing.count) }
      try pump(.after(seconds: seconds), seconds)
    }
  }
}

// The wire.
extension SubmissionConnection {
  /// The next thing that happens.
  ///
  /// Each reply has its own time: the limit given, or that of its step as long as there is patience.
  func nextEvent(limit given: Double? = nil) throws(SubmissionFailure) -> SMTPEvent {
    while true {
      if let event = events.popFirst() {
        if case .closing(let reply, let step) = event, !isInTransaction(step) {
          throw .closing(reply)
        }
        return event
      }
      guard session.state != .closed else { throw .transport(.closed) }
      try awaitReply(limit: given)
    }
  }

  /// Waits for the end of the next reply, or for something that happens without one.
  private func awaitReply(limit given: Double?) throws(SubmissionFailure) {
    let (step, replyCount) = (session.awaiting ?? .noop, session.replyCount)
    let (seconds, start) = (given ?? limit(of: step), Clock.monotonicNanoseconds())
    let deadline = Deadline.after(seconds: seconds)
    defer { if given == nil { spend(since: start, on: step) } }
    repeat {
      try pump(deadline, seconds)
    } while session.replyCount == replyCount && events.isEmpty && session.state != .closed
  }

  private func spend(since start: Int64, on step: Step, sending count: Int = 0) {
    let seconds = Double(Clock.monotonicNanoseconds() - start) / 1e9
    patience?.spend(seconds, on: step, sending: count)
  }

  /// Whether the event belongs to a message that is being sent, and is dealt with there.
  private func isInTransaction(_ step: Step?) -> Bool {
    switch step {
    case .sender, .recipient, .data, .message, .endOfData: true
    default: false
    }
  }

  private func limit(of step: Step) -> Double {
    guard step != .endOfData else { return TestTime.patience(Double(step.timeout)) }
    let limits = [Double(step.timeout), stepLimit.map { Double($0) }, patience?.limit(of: step)]
    return TestTime.patience(limits.compactMap { $0 }.min() ?? 0)
  }

  private func pump(_ deadline: Deadline, _ seconds: Double) throws(SubmissionFailure) {
    outgoing += session.takeOutgoing()
    let count: Int
    do {
      let progress = try stream.exchange(
        sending: outgoing,
        into: &buffer,
        deadline: deadline
      )
      outgoing = outgoing.dropFirst(progress.sent)
      count = progress.received
    } catch {
      reportTrace()
      let isGreeting = session.awaiting == .greeting && error == .timedOut(.exchange)
      throw Self.failure(isGreeting ? .timedOut(.greeting) : error, server, seconds: seconds)
    }
    defer { reportTrace() }
    do {
      events += try session.receive(buffer[..<count])
    } catch {
      throw .protocolViolation(error)
    }
  }

  /// Where a server was silent, that says which one, and for how long.
  static func failure(
    _ error: TransportError,
    _ server: SubmissionServer,
    seconds: Double
  ) -> SubmissionFailure {
    error == .interrupted
      ? .interrupted : .transport(error.located(server.host, server.port, seconds: seconds))
  }

  private func reportTrace() {
    guard let trace else { return }
    for line in session.takeTrace() { trace(line.display) }
  }
}
