internal import Configuration
internal import Octets
internal import Platform
internal import SMTP
internal import Transport

/// An SMTP session over a byte stream: waits for replies as long as RFC 5321 §4.5.3.2 allows.
struct SMTPStream {
  let stream: ByteStream
  let server: SubmissionServer
  private let trace: (@Sendable (String) -> Void)?

  /// The most seconds to wait for a step other than the end of a message; `nil` for what the RFC says.
  private let stepLimit: Int?

  /// What all steps of a run share besides; `nil` for no end of it.
  private let budget: WaitBudget?

  /// The most seconds to wait for the reply to MAIL; `nil` for what is usual.
  var senderLimit: Double?

  var session = SMTPSession()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var outgoing: ArraySlice<UInt8> = []
  private(set) var events: ArraySlice<SMTPEvent> = []

  init(
    _ stream: ByteStream,
    to server: SubmissionServer,
    stepLimit: Int?,
    budget: WaitBudget?,
    trace: (@Sendable (String) -> Void)?
  ) {
    self.stream = stream
    self.server = server
    self.stepLimit = stepLimit
    self.budget = budget
    self.trace = trace
    session.isTracing = trace != nil
  }

  /// The next thing that happens.
  ///
  /// Each reply has its own time: the limit given, or that of its step as long as the budget lasts.
  mutating func nextEvent(limit given: Double? = nil) throws(SubmissionFailure) -> SMTPEvent {
    while true {
      if let event = events.popFirst() {
        // In the midst of a message it is dealt with there.
        if case .closing(let reply, let step) = event, !(step?.concernsMessage ?? false) {
          throw .closing(reply)
        }
        return event
      }
      guard session.state != .closed else {
        if let failure = session.failure { throw .protocolViolation(failure) }
        throw .transport(.closed)
      }
      try awaitReply(limit: given)
    }
  }

  /// Waits for the end of the next reply, or for something that happens without one.
  private mutating func awaitReply(limit given: Double?) throws(SubmissionFailure) {
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
    budget?.spend(seconds, on: step, sending: count)
  }

  /// The event that came already, if any.
  mutating func takeEvent() -> SMTPEvent? { events.popFirst() }

  /// Whether the answer to a message came already.
  var hasAnswer: Bool {
    events.contains { if case .delivery = $0 { true } else { false } }
  }

  /// The good-bye that came with the event before, if any.
  mutating func takeClosing() -> Reply? {
    guard case .closing(let reply, _)? = events.first else { return nil }
    events.removeFirst()
    return reply
  }

  /// Sends all that is to be sent; takes what comes meanwhile.
  mutating func drain() throws(SubmissionFailure) {
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

  /// Whether nothing has come that was not asked for, nor the end of the connection; waits for nothing.
  mutating func isSilent() -> Bool {
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

  /// Takes what has come; waits for nothing.
  ///
  /// - Returns: whether the conversation goes on.
  mutating func takeArrived() -> Bool {
    defer { reportTrace() }
    do throws(TransportError) {
      let progress = try stream.exchange(sending: [], into: &buffer, deadline: .now)
      events += (try? session.receive(buffer[..<progress.received])) ?? []
      return session.state != .closed
    } catch {
      return error == .timedOut(.exchange) || error == .interrupted
    }
  }

  private func limit(of step: Step) -> Double {
    guard step != .endOfData else { return TestTime.replyTime(Double(step.timeout)) }
    // A message that was begun is brought to its end: cut off, it would be begun again in each run.
    let left = step.concernsMessage ? nil : budget?.limit(of: step)
    let own = step == .sender ? senderLimit : nil
    let limits = [Double(step.timeout), stepLimit.map { Double($0) }, left, own]
    return TestTime.replyTime(limits.compactMap { $0 }.min() ?? 0)
  }

  private mutating func pump(_ deadline: Deadline, _ seconds: Double) throws(SubmissionFailure) {
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
    if error == .interrupted { return .interrupted }
    guard let address = server.address else { return .transport(error) }
    return .transport(error.located(address.host, address.port, seconds: seconds))
  }

  mutating func reportTrace() {
    guard let trace else { return }
    for line in session.takeTrace() { trace(line.display) }
  }
}
