package import Octets

/// The client's side of an SMTP connection as a value: octets in, events out; commands and messages
/// in, octets out (RFC 5321).
///
/// It has neither socket nor clock: its owner gives it what arrived, sends what
/// `takeOutgoing()` returns, and waits for each reply no longer than `awaiting` allows. After an error the session
/// is over, and `receive(_:)` throws the same error again; what became of the messages under way is
/// still in `openOutcomes`. In state `closed` everything does nothing.
///
///     var session = SMTPSession()
///     … greeting …
///     session.send(.hello(name))
///     … hello …
///     try session.begin(envelope, facts)
///     … messageWanted …
///     try session.send(message: piece)
///     try session.endMessage()
///     … delivery …
///
/// Where the server offers it, more may be sent before the delivery: the commands of the next message (`announce(_:_:)`), or
/// whole messages (`beginChunk(_:_:)`).
package struct SMTPSession: Sendable {
  /// Where the session stands.
  package internal(set) var state = SMTPState.greeting

  /// What the server offers, as its reply to EHLO said; nothing after `startedTLS()`.
  package private(set) var extensions = Extensions()

  /// How many replies came: several may come before there is an event.
  package private(set) var replyCount = 0

  /// Whether the conversation is recorded for `takeTrace()`.
  package var isTracing = false

  private var decoder: ReplyDecoder
  var outgoing: [UInt8] = []
  var expected: [Expectation] = [.greeting]
  private var authentication: AuthExchange?
  private(set) var isLoggedIn = false

  /// The messages under way, in their order: replies are about the first one, octets go to the last one.
  var mails: [MailUnderWay] = []

  /// The message that ended last.
  var last: Transaction?

  private var isAwaitingTLS = false

  /// How the server broke the protocol; `nil` while it did not.
  package private(set) var failure: SMTPProtocolError?

  private var trace: [TraceLine] = []

  /// A session on a connection just made, before the greeting.
  package init(limits: ReplyLimits = .standard) {
    decoder = ReplyDecoder(limits: limits)
  }

  /// What is being waited for, `message` while the server waits for us; `nil` when nothing is.
  package var awaiting: Step? {
    guard state != .closed else { return nil }
    return state == .message ? .message : expected.first?.step
  }

  /// Whether a command may be sent or, in state `ready`, a transaction begun.
  ///
  /// It may not while something is being waited for: a reply, the message, the answer to a
  /// challenge, the handshake behind STARTTLS; nor in state `closed`.
  package var isIdle: Bool {
    awaiting == nil && authentication == nil && !isAwaitingTLS && state != .closed
  }

  /// What became of the message that replies are about, or else of the one that ended last, as things stand; `nil` before
  /// the first one.
  ///
  /// This is the truth as well when the connection broke.
  package var outcome: TransactionOutcome? { (mails.first?.transaction ?? last)?.outcome }

  /// What became of each message of which no `delivery` came, in their order, as things stand.
  package var openOutcomes: [TransactionOutcome] { mails.map(\.transaction.outcome) }

  /// Whether the server has answered MAIL for the message that `outcome` is about.
  package var isSenderAnswered: Bool { (mails.first?.transaction ?? last)?.sender != nil }

  /// The conversation since the last call, in its order, and forgets it.
  package mutating func takeTrace() -> [TraceLine] {
    defer { trace = [] }
    return trace
  }

  /// The octets that may go on the wire now, and forgets them; empty when there are none.
  package mutating func takeOutgoing() -> [UInt8] {
    defer { outgoing = [] }
    return outgoing
  }
}

// Commands.
extension SMTPSession {
  /// Queues a command outside of a transaction.
  ///
  /// Only when `isIdle` (a programming error otherwise), or in state `closed` without effect.
  package mutating func send(_ command: SMTPCommand) {
    guard state != .closed else { return }
    precondition(isIdle, "one command at a time, and none behind STARTTLS")
    switch command {
    case .hello(let name, let needsExtensions):
      let next = needsExtensions ? nil : name
      say([UInt8](ascii: "EHLO ") + name.octets, expecting: .hello(next))
    case .startTLS: say([UInt8](ascii: "STARTTLS"), expecting: .startTLS)
    case .authenticate(let mechanism, let response, let secret):
      authenticate(mechanism, response, secret)
    case .reset: say([UInt8](ascii: "RSET"), expecting: .reset(isReported: true))
    case .noop: say([UInt8](ascii: "NOOP"), expecting: .noop)
    case .quit: say([UInt8](ascii: "QUIT"), expecting: .quit)
    }
    if command == .startTLS { isAwaitingTLS = true }
  }

  private mutating func authenticate(
    _ mechanism: [UInt8],
    _ response: [UInt8]?,
    _ secret: [UInt8]
  ) {
    precondition(
      mechanism.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.minus },
      "no name of a mechanism (RFC 4422 §3.1)"
    )
    let started = AuthExchange(mechanism, response, secret)
    authentication = started
    say(started.command, expecting: .authentication, trace: started.trace)
  }

  /// Answers a `challenge`: base64 is added here; `nil` cancels the AUTH with `*`.
  ///
  /// Does nothing when the AUTH has ended meanwhile.
  package mutating func respond(_ response: [UInt8]?) {
    guard state != .closed, expected.isEmpty,
      let line = authentication?.line(for: response)
    else { return }
    say(line, expecting: .authentication, trace: response == nil ? line : [UInt8]("…".utf8))
  }

  /// Tells that the TLS handshake which followed the 220 to STARTTLS succeeded.
  ///
  /// What the server said before is forgotten (RFC 3207 §4.2); EHLO has to follow.
  /// - Throws: `dataBeforeTLS` when something came before the handshake.
  package mutating func startedTLS() throws(SMTPProtocolError) {
    if let failure { throw failure }
    guard decoder.isBetweenReplies else { throw fail(SMTPProtocolError(.dataBeforeTLS, line: [])) }
    isAwaitingTLS = false
    extensions = Extensions()
    isLoggedIn = false
    state.startedTLS()
  }

  mutating func say(
    _ line: [UInt8],
    expecting expectation: Expectation?,
    trace shown: [UInt8]? = nil
  ) {
    outgoing += line
    outgoing += [ASCII.carriageReturn, ASCII.lineFeed]
    traceLine(.sent, shown ?? line)
    if let expectation { expected.append(expectation) }
  }
}

// Receiving.
extension SMTPSession {
  /// Takes what arrived, cut anywhere, and returns what it means.
  ///
  /// - Throws: `SMTPProtocolError` when the server broke the protocol. Where a message was answered before, the events are
  ///   returned, and the error comes with the next call; others are lost.
  package mutating func receive(
    _ octets: ArraySlice<UInt8>
  ) throws(SMTPProtocolError) -> [SMTPEvent] {
    if let failure { throw failure }
    var rest = octets
    var events: [SMTPEvent] = []
    do throws(SMTPProtocolError) {
      try refuseInjection(rest)
      // Behind a good-bye nothing has a meaning, nor is it kept.
      while state != .closed, let reply = try decoder.next(&rest) {
        events += try judge(reply)
        try refuseInjection(rest)
      }
    } catch {
      let isGreeting = error.problem == .malformedReply && awaiting == .greeting
      let failure = fail(
        isGreeting ? SMTPProtocolError(.noGreeting, line: error.line[...]) : error
      )
      // A message that was taken before must not be sent again.
      guard events.contains(where: \.isDelivery) else { throw failure }
    }
    return events
  }

  /// Nothing may come between the 220 to STARTTLS and the handshake.
  private func refuseInjection(_ rest: ArraySlice<UInt8>) throws(SMTPProtocolError) {
    guard isAwaitingTLS, !rest.isEmpty, expected.isEmpty else { return }
    throw SMTPProtocolError(.dataBeforeTLS, line: rest)
  }

  private mutating func fail(_ error: SMTPProtocolError) -> SMTPProtocolError {
    // Redacted before it is cut: half of a secret would not be found.
    let line = authentication?.redact(error.line) ?? error.line
    let failure = SMTPProtocolError(error.problem, line: line.prefix(SMTPProtocolError.lineLimit))
    self.failure = failure
    state.close()
    return failure
  }

  private mutating func judge(_ reply: Reply) throws(SMTPProtocolError) -> [SMTPEvent] {
    let shown = authentication?.redact(reply) ?? reply
    replyCount += 1
    traceReply(shown)
    guard state != .message || !expected.isEmpty else { return try interrupted(by: reply) }
    guard let expectation = expected.first else { return try unasked(reply) }
    expected.removeFirst()
    guard !reply.isClosing else { return close(shown, answering: expectation) }
    guard isPossible(reply, expectation) else {
      throw SMTPProtocolError(.unexpectedReply(expectation.step), line: Self.line(shown))
    }
    return try answer(expectation, reply, shown)
  }

  /// Whether the step knows such a reply: 3yz where it has a second part, 2yz where it may end.
  private func isPossible(_ reply: Reply, _ expectation: Expectation) -> Bool {
    switch expectation {
    case .authentication: reply.isIntermediate ? reply.code == 334 : true
    case .startTLS: !reply.isIntermediate && (reply.code == 220 || !reply.isPositive)
    case .data: !reply.isPositive
    // A reset that fails would make the server blame the message that follows; among chunks it shows replies out of step.
    case .reset(isReported: false): reply.isPositive
    case .greeting, .hello, .oldHello, .noop, .quit, .reset, .sender, .recipient, .endOfData:
      !reply.isIntermediate
    }
  }

  /// A refusal in the midst of a message: it stands, but the state of the server is unknown.
  private mutating func interrupted(by reply: Reply) throws(SMTPProtocolError) -> [SMTPEvent] {
    guard reply.isTransient || reply.isPermanent else {
      throw SMTPProtocolError(.unexpectedReply(.message), line: Self.line(reply))
    }
    guard !mails.isEmpty else { return try unasked(reply) }
    mails[0].transaction.interrupted(by: reply)
    abandon()
    return endTransaction() + [.closing(reply, at: .message)]
  }

  /// Servers say so before they close a connection on which nothing happened, not all with 421.
  private mutating func unasked(_ reply: Reply) throws(SMTPProtocolError) -> [SMTPEvent] {
    guard reply.isTransient || reply.isPermanent else {
      throw SMTPProtocolError(.unexpectedReply(nil), line: Self.line(reply))
    }
    state.close()
    return [.closing(reply, at: nil)]
  }

  private mutating func close(_ reply: Reply, answering expectation: Expectation) -> [SMTPEvent] {
    let closing = SMTPEvent.closing(reply, at: expectation.step)
    state.received(reply, to: expectation.step)
    outgoing = []
    authentication = nil
    guard !mails.isEmpty else { return [closing] }
    mails[0].transaction.received(reply, to: expectation)
    mails[0].transaction.closed(by: reply, at: expectation.step)
    for index in mails.indices.dropFirst() { mails[index].transaction.wasNotRead() }
    return endTransaction() + [closing]
  }

  private mutating func answer(
    _ expectation: Expectation,
    _ reply: Reply,
    _ shown: Reply
  ) throws(SMTPProtocolError) -> [SMTPEvent] {
    switch expectation {
    case .hello(let name?) where reply.isPermanent:
      say([UInt8](ascii: "HELO ") + name.octets, expecting: .oldHello)
      return []
    case .hello where reply.isPositive:
      extensions = Extensions(lines: [[UInt8]](reply.lines.dropFirst()))
    case .oldHello where reply.isPositive: extensions = Extensions()
    case .startTLS where !reply.isPositive: isAwaitingTLS = false
    default: break
    }
    state.received(reply, to: expectation.step)
    switch expectation {
    case .greeting: return [.greeting(reply)]
    case .hello, .oldHello: return [.hello(reply)]
    case .startTLS: return [.startTLS(reply)]
    case .authentication: return try authenticationAnswered(reply, shown)
    case .noop: return [.noop(reply)]
    case .quit: return [.quit(reply)]
    case .reset(isReported: true): return wasReset(reply)
    case .reset, .sender, .recipient, .data, .endOfData: return advance(expectation, reply)
    }
  }

  private mutating func wasReset(_ reply: Reply) -> [SMTPEvent] {
    if reply.isPositive { last?.wasReset() }
    return [.reset(reply)]
  }

  private mutating func authenticationAnswered(
    _ reply: Reply,
    _ shown: Reply
  ) throws(SMTPProtocolError) -> [SMTPEvent] {
    guard reply.isIntermediate, let authentication else {
      self.authentication = nil
      if reply.isPositive { isLoggedIn = true }
      return [.authentication(shown)]
    }
    let challenge = try authentication.challenge(reply)
    if let held = self.authentication?.takeHeld() {
      respond(held)
      return []
    }
    return [.challenge(challenge)]
  }
}

// The trace.
extension SMTPSession {
  mutating func traceLine(_ direction: TraceLine.Direction, _ line: [UInt8]) {
    guard isTracing else { return }
    trace.append(TraceLine(direction, line))
  }

  /// A received reply, line for line; of challenges nothing.
  private mutating func traceReply(_ reply: Reply) {
    guard isTracing else { return }
    let isChallenge = authentication != nil && reply.isIntermediate
    for (index, line) in reply.lines.enumerated() {
      let isLast = index == reply.lines.count - 1
      let text = isChallenge && !line.isEmpty ? [UInt8]("…".utf8) : line
      let separator = isLast ? ASCII.space : ASCII.minus
      let end = isLast && text.isEmpty ? [] : [separator] + text
      traceLine(.received, [UInt8](decimal: reply.code) + end)
    }
  }

  private static func line(_ reply: Reply) -> [UInt8] {
    [UInt8](decimal: reply.code) + [ASCII.space] + reply.text
  }
}
