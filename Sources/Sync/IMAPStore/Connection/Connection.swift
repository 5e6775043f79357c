internal import IMAP
internal import MailModel
internal import MailStore
internal import Octets
internal import Platform
internal import Transport

/// An IMAP session over a byte stream: sends commands, hands out events, waits no longer than it must.
///
/// Used by one thread at a time.
final class Connection {
  /// Seconds without a single octet after which a server counts as gone.
  static let silenceLimit = TestTime.replyTime(30)

  /// Seconds of silence after which a server is asked whether it dropped commands, and seconds for its answer.
  private static let doubtLimits = (probe: 2.0, answer: 13.0)

  private static let bufferSize = 1 << 16

  private let stream: ByteStream
  private let trace: (@Sendable (String) -> Void)?
  private var session = Session()
  private var buffer = [UInt8](repeating: 0, count: Connection.bufferSize)
  private var outgoing: ArraySlice<UInt8> = []
  private var events: ArraySlice<Event> = []
  private var literals: LiteralFeed?
  private var watch = ReplyWatch()
  /// The IDLE under way; it ends before anything else is sent.
  var idle: Idle?
  /// When IDLE was asked for that is under way, by the monotonic clock; nil where none is.
  var idleStart: Int64?
  /// Whether the server offers IDLE and does not do it.
  var refusesIdle = false
  /// Whether the server offers NOTIFY and does not do it, or gave it up.
  var refusesNotify = false
  /// What the mailboxes looked like when they were listed.
  var statusMemory = StatusMemory()
  /// Whether the server told of a change while something else was waited for.
  var hasMissed = false
  /// Why nothing more comes; nil while it works.
  private var failure: SyncFailure?
  /// What the server did wrong behind all events; nil while it works.
  private var violation: SyncFailure?
  /// Seconds without a single octet after which the server counts as gone.
  var silence = Connection.silenceLimit
  /// Whether it may be compressed where that pays: the account allows it, and it was not tried yet.
  var allowsCompression = false
  /// Replies that overtook the one that was waited for (RFC 9051 §5.5).
  private var early: [CommandTag: StatusResponse] = [:]

  init(_ stream: ByteStream, trace: (@Sendable (String) -> Void)?) {
    self.stream = stream
    self.trace = trace
    session.isTracing = trace != nil
  }

  var capabilities: Capabilities { session.capabilities }
  /// Whether there are replies that overtook the one that was waited for last.
  var hasEarlyReplies: Bool { !early.isEmpty }
  var isEncrypted: Bool { stream.isEncrypted }
  /// What a log-in can be bound to, best first.
  var bindings: [TLSBinding] { stream.bindings }

  /// The mailbox that is open; nil where none is.
  var openMailbox: MailboxName? {
    if case .selected(let name, _) = session.state { name } else { nil }
  }

  /// Whether the session came to its end.
  var isOver: Bool { session.state == .logout }

  /// Puts a command on its way; its reply is awaited by `finish`.
  func send(_ command: Command) -> CommandTag {
    endIdle()
    let tag = session.send(command)
    watch.sent(tag, command)
    return tag
  }

  /// Ends the IDLE under way, and does not wait for the answer.
  private func endIdle() {
    guard let idle = idle.take() else { return }
    idleStart = nil
    session.endIdle()
    watch.ignore(idle.tag)
    if idle.isNotifying { watch.ignore(session.send(.notifyNone)) }
    hasMissed = false
  }

  /// The next thing that the server says unasked, or the wake-up.
  func nextNews(unless waker: Waker, deadline: Deadline) throws(SyncFailure) -> News {
    while true {
      if let event = events.popFirst() {
        noteEnd(of: event)
        if let event = try watch.passOn(event) { return .event(event) }
      } else if let end = try listen(unless: waker, deadline: deadline) {
        return end
      }
    }
  }

  /// A server that ends IDLE by itself is not asked for it again.
  private func noteEnd(of event: Event) {
    guard case .tagged(let tag, _) = event, tag == idle?.tag else { return }
    (idle, idleStart) = (nil, nil)
    refusesIdle = true
  }

  /// Receives what comes; gives why nothing did.
  private func listen(unless waker: Waker, deadline: Deadline) throws(SyncFailure) -> News? {
    if let violation { throw violation }
    let count: Int?
    do {
      count = try stream.receive(into: &buffer, unless: waker, deadline: deadline)
    } catch .timedOut {
      return .timedOut
    } catch {
      throw error == .interrupted ? .interrupted : .transport(error)
    }
    guard let count else { return .woken }
    try parseReceived(count)
    return nil
  }

  /// Names the program to a server that wants to know, once, and does not wait for the answer.
  func identify() {
    guard !watch.hasIdentified else { return }
    watch.identifies(by: send(ClientIdentity.command))
  }

  /// Watches for the replies to commands that were sent behind a log-in which has come to its end now.
  ///
  /// Waiting for a server that dropped them would be in vain. So a silent server is asked for a sign of life, whose answer
  /// before theirs is a violation of the protocol.
  func doubt(_ tags: [CommandTag]) {
    watch.doubted = Set(tags).subtracting(early.keys)
  }

  /// Lets what was put on its way leave now, though its reply is awaited only later.
  ///
  /// - Throws: as `nextEvent`.
  func flush() throws(SyncFailure) {
    outgoing += session.takeOutgoing()
    if !outgoing.isEmpty { try pump() }
  }

  /// Answers the server's challenge of a running AUTHENTICATE; nil cancels.
  func respond(_ response: [UInt8]?) {
    session.respond(response)
  }

  /// Sends a command and waits for its reply, handing every event before it to `handle`.
  @discardableResult
  func perform(
    _ command: Command,
    _ handle: (Event) throws(SyncFailure) -> Void = { _ in }
  ) throws(SyncFailure) -> StatusResponse {
    do throws(SyncFailure) {
      return try finish(send(command), handle)
    } catch {
      guard case .identityWanted = error else { throw error }
      identify()
      return try finish(send(command), handle)
    }
  }

  /// Waits for the reply to a command that was sent before.
  func finish(
    _ tag: CommandTag,
    _ handle: (Event) throws(SyncFailure) -> Void = { _ in }
  ) throws(SyncFailure) -> StatusResponse {
    if let response = early.removeValue(forKey: tag) {
      try watch.check(response, to: tag)
      return response
    }
    while true {
      let event = try nextEvent(awaiting: tag)
      guard case .tagged(let other, let response) = event else {
        try handle(event)
        continue
      }
      if other == tag { return response }
      early[other] = response
    }
  }

  /// Sends commands of which some are APPENDs, whose messages come from `source`, and waits for their replies.
  ///
  /// In their order; events before them are dropped. `behind` may send more in the same round trip.
  func perform(
    _ commands: [Command],
    behind: () -> Void,
    literals source: @escaping LiteralFeed.Source
  ) throws(SyncFailure) -> [StatusResponse] {
    let tags = commands.map { send($0) }
    literals = LiteralFeed(source, tags)
    defer { literals = nil }
    behind()
    var responses: [StatusResponse] = []
    for tag in tags { responses.append(try finish(tag)) }
    return responses
  }

  /// Waits for all replies that are still under way, and drops them, so that none of them is taken
  /// for an answer to what is asked next.
  func drainReplies() throws(SyncFailure) {
    endIdle()
    while session.pending > 0 || !events.isEmpty {
      if let event = events.popFirst() { _ = try watch.passOn(event) } else { try pump() }
    }
    let overtaken = early
    early = [:]
    for (tag, response) in overtaken { try watch.check(response, to: tag) }
  }

  /// All that is waited for from now on fails like this: it went wrong where no reply was waited for.
  func fail(_ failure: SyncFailure) { self.failure = failure }

  /// The next thing the server says; `awaited` is as in `ReplyWatch.passOn`.
  ///
  /// - Throws: `SyncFailure` when it says goodbye, breaks the protocol, falls silent or is gone.
  func nextEvent(awaiting awaited: CommandTag? = nil) throws(SyncFailure) -> Event {
    if let failure { throw failure }
    while true {
      if let event = events.popFirst() {
        if let event = try watch.passOn(event, awaiting: awaited) { return event }
      } else if watch.doubted.isEmpty {
        try pump()
      } else {
        try pumpDoubting()
      }
    }
  }

  /// Waits for news while commands may have been dropped.
  private func pumpDoubting() throws(SyncFailure) {
    let limits = Self.doubtLimits
    do throws(SyncFailure) {
      try pump(deadline: .after(seconds: watch.probe == nil ? limits.probe : limits.answer))
    } catch {
      guard case .transport(.timedOut) = error else { throw error }
      guard watch.probe == nil else { throw ReplyWatch.missingReply }
      watch.probe = send(.noop)
    }
  }

  /// Puts TLS under the session after the server agreed to STARTTLS.
  func startTLS(_ policy: TLSPolicy, deadline: Deadline) throws(SyncFailure) {
    do {
      try session.startedTLS()
    } catch {
      throw .protocolViolation(ProtocolViolation(error))
    }
    do {
      try stream.startTLS(policy, deadline: deadline)
    } catch {
      throw .transport(error)
    }
  }

  /// Whether it may be compressed, and the server offers that.
  var offersCompression: Bool {
    allowsCompression && capabilities.contains("COMPRESS=DEFLATE")
  }

  /// Compresses both directions from now on, where no reply is under way and zlib is there.
  ///
  /// A server that refuses it is not asked again over this connection.
  func compress() throws(SyncFailure) {
    guard offersCompression, session.pending == 0, ByteStream.canCompress else { return }
    allowsCompression = false
    try perform(.compress)
    guard let received = session.takeCompressed() else { return }
    do {
      try stream.compress(received: received)
    } catch {
      throw .transport(error)
    }
  }

  /// Says goodbye without waiting for an answer, where nothing stands in the way.
  func close() {
    let unanswered = idle?.replies ?? 0
    endIdle()
    if mayLogOut(unanswered) {
      _ = session.send(.logout)
      outgoing += session.takeOutgoing()
      _ = try? exchange(.after(seconds: 0))
      reportTrace()
    }
    stream.close()
  }

  private func mayLogOut(_ unanswered: Int) -> Bool {
    switch session.state {
    case .authenticated, .selected: session.pending == unanswered && session.wantedLiteral == nil
    case .greeting, .notAuthenticated, .logout: false
    }
  }

  private func pump(deadline: Deadline? = nil) throws(SyncFailure) {
    if let violation { throw violation }
    let deadline = deadline ?? .after(seconds: silence)
    outgoing += session.takeOutgoing()
    try feedLiteral()
    let count: Int
    do {
      let progress = try exchange(deadline)
      outgoing = outgoing.dropFirst(progress.sent)
      count = progress.received
    } catch {
      throw error == .interrupted ? .interrupted : .transport(error)
    }
    try parseReceived(count)
  }

  /// Parses what was received; what came before a violation of the protocol counts first.
  private func parseReceived(_ count: Int) throws(SyncFailure) {
    var found: [Event] = []
    defer {
      events += found
      reportTrace()
    }
    do {
      try session.receive(buffer[..<count], into: &found)
    } catch {
      let failure = SyncFailure.protocolViolation(ProtocolViolation(error))
      guard !found.isEmpty else { throw failure }
      violation = failure
    }
  }

  /// Keeps a little more than one exchange can send ready, and no whole message in memory.
  private func feedLiteral() throws(SyncFailure) {
    while let wanted = session.wantedLiteral, outgoing.count < Self.bufferSize {
      session.feedLiteral(try literal(wanted))
      outgoing += session.takeOutgoing()
    }
  }

  private func literal(_ wanted: LiteralRequest) throws(SyncFailure) -> ArraySlice<UInt8> {
    do throws(SyncFailure) {
      if !wanted.isRefused, let octets = try literals?.octets(wanted) { return octets }
    } catch {
      // The server waits for octets that never come.
      stream.close()
      throw error
    }
    // What was refused is thrown away by the server, whatever it is.
    let count = Int(min(UInt64(Self.bufferSize), wanted.remaining))
    return [UInt8](repeating: ASCII.space, count: count)[...]
  }

  private func exchange(_ deadline: Deadline) throws(TransportError) -> (sent: Int, received: Int) {
    var result = (sent: 0, received: 0)
    if !outgoing.isEmpty { FaultPoint.pass("send before") }
    defer { if result.sent > 0 { FaultPoint.pass("send after") } }
    result = try stream.exchange(sending: outgoing, into: &buffer, deadline: deadline)
    return result
  }

  private func reportTrace() {
    guard let trace else { return }
    for line in session.takeTrace() { trace(line.display) }
  }
}
