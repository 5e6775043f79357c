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
  static let announcementLimit = 20.0

  var smtp: SMTPStream

  /// How far the message sent last came.
  var reached = Delivery.Reached.envelope

  /// What became of the message sent last, once the server has said that.
  var answer: TransactionOutcome?

  /// For how many recipients the message sent last was taken: a server may answer its end once for each of them.
  var takenCount = 0

  /// What the message whose commands came behind the end of the one before is sent without; `nil` where there is none.
  var announced: Set<Shortfall>?

  /// Whether the server has answered commands that came behind the end of a message.
  var keepsStep = false

  /// Whether replies to the message begun last may have been ones to the message before: it was taken
  /// for several recipients, and a server may answer its end once for each of them (RFC 2033); or it was refused, perhaps
  /// before its end.
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

  /// Whether the server takes so many further messages over it, as far as it says.
  func hasRoom(for count: Int) -> Bool {
    extensions.transactionLimit.map { transactions + count <= $0 } ?? true
  }

  /// Whether the commands of a message came behind the end of the one before.
  var hasAnnounced: Bool { announced != nil }

  /// Whether the server has answered the first of them.
  var isAnnouncementAnswered: Bool { smtp.session.isSenderAnswered }

  /// Whether that message can be sent now, or is answered already.
  func isExpectingAnnounced() -> Bool {
    guard hasAnnounced else { return false }
    let isOpen = smtp.session.state != .closed && smtp.takeArrived()
    return isOpen || smtp.hasAnswer
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
