package import Octets

/// The client's side of an IMAP connection as a value: octets in, events out; commands in, octets
/// out (RFC 9051).
///
/// It knows neither socket nor clock: its owner gives it what arrived and sends what
/// `takeOutgoing()` returns. Commands may be sent without waiting for replies. After an error
/// the session is over, and `receive(_:into:)` throws the same error again.
///
///     var session = Session()
///     let tag = session.send(.capability)
///     socket.write(session.takeOutgoing())
///     try session.receive(socket.read(), into: &events)
package struct Session: Sendable {
  /// Where the session stands.
  package private(set) var state = State.greeting

  /// What the server can do, as it said last in any place.
  ///
  /// Empty when nothing valid is known: before the server told, after `startedTLS()`, and after a
  /// login that told nothing new (RFC 9051 §6.2.2, §6.2.3). Then ask with `.capability`.
  package private(set) var capabilities = Capabilities()

  /// Whether the conversation is recorded for `takeTrace()`.
  package var isTracing = false {
    didSet { decoder.isTracing = isTracing }
  }

  private var decoder: ResponseDecoder
  private var outgoing = Outgoing()
  private var open: [OpenCommand] = []
  private var authentication: LoginExchange?
  private var lastTag: UInt32 = 0
  private var isAwaitingTLS = false
  /// What came compressed behind the OK to COMPRESS; nil where there was none.
  private var compressed: ArraySlice<UInt8>?
  private var isIdleEnded = false
  private var failure: ProtocolError?
  private var trace: [TraceLine] = []

  /// A session on a connection just made, before the greeting.
  package init(limits: Limits = .standard) {
    decoder = ResponseDecoder(limits: limits)
  }

  /// The number of commands whose tagged reply has not come.
  package var pending: Int { open.count }

  /// The conversation since the last call, in its order, and forgets it.
  package mutating func takeTrace() -> [TraceLine] {
    defer { trace = [] }
    return trace
  }
}

// Sending.
extension Session {
  /// Queues a command; `takeOutgoing()` returns it, possibly in parts.
  ///
  /// Nothing may be sent behind STARTTLS before `startedTLS()` (a programming error).
  @discardableResult
  package mutating func send(_ command: Command) -> CommandTag {
    precondition(!isAwaitingTLS, "nothing may be sent behind STARTTLS")
    precondition(
      !open.contains { $0.kind == .compress } && compressed == nil,
      "nothing may be sent behind COMPRESS"
    )
    if case .compress = command { precondition(open.isEmpty, "nothing may be before COMPRESS") }
    precondition(!open.contains { $0.kind == .idle && !isIdleEnded }, "nothing may be sent in IDLE")
    if case .idle = command { isIdleEnded = false }
    precondition(mayFollow(command), "APPEND may not be sent behind AUTHENTICATE")
    lastTag += 1
    let tag = CommandTag(number: lastTag)
    let encoder = CommandEncoder(command, tag: tag, literals: LiteralSupport(capabilities))
    outgoing.append(encoder.parts, tag)
    traceLine(.sent, encoder.trace)
    open.append(OpenCommand(tag: tag, command))
    if let started = LoginExchange(command, tag) { authentication = started }
    if case .startTLS = command { isAwaitingTLS = true }
    return tag
  }

  /// The response to a challenge would go into the midst of the message.
  private func mayFollow(_ command: Command) -> Bool {
    guard case .append = command else { return true }
    return authentication?.isSASL != true
  }

  /// Answers a `continuation`: base64 is added here; `nil` cancels the AUTHENTICATE with `*`.
  ///
  /// Does nothing when the AUTHENTICATE has ended meanwhile.
  package mutating func respond(_ response: [UInt8]?) {
    guard authentication?.isSASL == true else { return }
    let line = response.map { Base64.encode($0) } ?? [ASCII.asterisk]
    if let response { authentication?.add(secrets: [response, line]) }
    outgoing.appendResponse(line + [ASCII.carriageReturn, ASCII.lineFeed])
    traceLine(.sent, response == nil ? line : [UInt8]("…".utf8))
  }

  /// Ends an IDLE that the server confirmed by `idling`; its tagged reply follows.
  ///
  /// Does nothing where the server ended it already.
  package mutating func endIdle() {
    guard !isIdleEnded, open.contains(where: { $0.kind == .idle }) else { return }
    isIdleEnded = true
    let line = [UInt8](ascii: "DONE")
    outgoing.appendResponse(line + [ASCII.carriageReturn, ASCII.lineFeed])
    traceLine(.sent, line)
  }

  /// The octets that may go on the wire now, and forgets them; empty when there are none.
  package mutating func takeOutgoing() -> [UInt8] {
    outgoing.takeOctets()
  }

  /// The message that is to go on the wire next, behind what `takeOutgoing()` returns; `nil` when
  /// none is, or when it has to wait for the server's leave.
  ///
  /// To be asked after each `send(_:)`, `receive(_:into:)` and `feedLiteral(_:)`. As long as a message is
  /// wanted no later command goes out, even if its own was answered (`LiteralRequest.isRefused`).
  /// If its octets can no longer be read, the connection must be closed.
  ///
  ///     while let message = session.wantedLiteral {
  ///       session.feedLiteral(next(64 << 10, of: message))
  ///       exchange(session.takeOutgoing())  // and reads: a server that cannot be heard stops
  ///     }
  package var wantedLiteral: LiteralRequest? { outgoing.wanted }

  /// Takes the next octets of `wantedLiteral`, at most `remaining` (a programming error otherwise).
  ///
  /// `takeOutgoing()` returns them at once: to keep little in memory, feed no more before they were
  /// sent. With the last octet the command goes on by itself. Messages must not hold NUL, and their
  /// line ends must be CR LF (RFC 9051 §4.3, §6.3.12): what is fed goes out as it is.
  package mutating func feedLiteral(_ octets: ArraySlice<UInt8>) {
    outgoing.feed(octets)
  }

  /// What came behind the OK to COMPRESS, and forgets it: the first compressed octets, often none; nil where the server did not
  /// say OK.
  ///
  /// To be called once behind its reply. From then on `receive(_:into:)` gets what was expanded.
  package mutating func takeCompressed() -> ArraySlice<UInt8>? {
    defer { compressed = nil }
    return compressed
  }

  /// Tells that the TLS handshake which followed the OK to STARTTLS succeeded.
  ///
  /// What the server said before is forgotten (RFC 9051 §6.2.1).
  /// - Throws: `dataBeforeTLS` when part of a response came before the handshake.
  package mutating func startedTLS() throws(ProtocolError) {
    if let failure { throw failure }
    guard decoder.isBetweenResponses else { throw fail(ProtocolError(.dataBeforeTLS, line: [])) }
    isAwaitingTLS = false
    capabilities = Capabilities()
  }
}

// Receiving.
extension Session {
  /// Takes what arrived, cut anywhere, and adds what it means to `events`.
  ///
  /// Body chunks are slices of `octets`; everything else is copied.
  /// - Throws: `ProtocolError` when the server broke the protocol; what it said before that is among the events, however the
  ///   octets are cut.
  package mutating func receive(
    _ octets: ArraySlice<UInt8>,
    into events: inout [Event]
  ) throws(ProtocolError) {
    if let failure { throw failure }
    guard compressed == nil else {
      compressed? += octets
      return
    }
    var rest = octets
    do throws(ProtocolError) {
      try refuseInjection(rest)
      while let response = try decoder.next(&rest) {
        if let event = try judge(response) { events.append(event) }
        if compressed != nil {
          compressed = rest
          break
        }
        if isAwaitingTLS { try refuseInjection(rest) }
      }
    } catch {
      throw fail(error)
    }
    drainDecoderTrace()
  }

  /// Nothing may come between the OK to STARTTLS and the handshake.
  private func refuseInjection(_ rest: ArraySlice<UInt8>) throws(ProtocolError) {
    guard isAwaitingTLS, !rest.isEmpty, !open.contains(where: { $0.kind == .startTLS }) else {
      return
    }
    throw ProtocolError(.dataBeforeTLS, line: rest.prefix(200))
  }

  private mutating func fail(_ error: ProtocolError) -> ProtocolError {
    drainDecoderTrace()
    let line = authentication?.redact(error.line) ?? error.line
    let failure = ProtocolError(error.problem, line: line)
    self.failure = failure
    return failure
  }

  private mutating func judge(_ response: Response) throws(ProtocolError) -> Event? {
    switch response {
    case .data(let event):
      if case .capabilities(let told) = event { learn(told) }
      return event
    case .status(let status): return state == .greeting ? greeting(status) : untagged(status)
    case .tagged(let tag, let status): return try tagged(tag, status)
    case .continuation(let text): return try continuation(text)
    case .body, .fetch, .ignored: return nil
    }
  }

  private mutating func greeting(_ status: StatusResponse) -> Event {
    state.greeted(status)
    // Where a log-in is under way already, this is not what the server offers after it.
    if case .capability(let told) = status.code { capabilities = told }
    return .greeting(status)
  }

  private mutating func untagged(_ status: StatusResponse) -> Event? {
    // A greeting that comes twice says nothing, and must not pass for a login.
    guard status.kind != .preauth else { return nil }
    state.received(untagged: status)
    learn(status.code)
    let shown = redacted(status)
    return status.kind == .bye ? .bye(shown) : .status(shown)
  }

  private mutating func tagged(
    _ tag: CommandTag,
    _ status: StatusResponse
  ) throws(ProtocolError) -> Event {
    guard let index = open.firstIndex(where: { $0.tag == tag }) else {
      throw ProtocolError(.unknownTag, line: tag.wire)
    }
    let command = open.remove(at: index)
    if command.kind == .change, status.kind == .ok, outgoing.holds(tag) {
      throw ProtocolError(.prematureReply, line: tag.wire)
    }
    let shown = redacted(status)
    outgoing.ended(tag)
    state.completed(command.kind, status)
    learn(status.code)
    if command.kind == .startTLS, status.kind != .ok { isAwaitingTLS = false }
    if command.kind == .compress, status.kind == .ok { compressed = [] }
    if let authentication, authentication.tag == tag {
      endAuthentication(authentication, status)
    }
    return .tagged(tag, shown)
  }

  private mutating func endAuthentication(_ ended: LoginExchange, _ status: StatusResponse) {
    if status.kind == .ok, !ended.hasNewCapabilities { capabilities = Capabilities() }
    drainDecoderTrace()
    authentication = nil
  }

  /// A `+`: for the literal that waits for it, or else for the IDLE or AUTHENTICATE that is open.
  private mutating func continuation(_ text: ArraySlice<UInt8>) throws(ProtocolError) -> Event? {
    if open.contains(where: { $0.kind == .idle }), outgoing.waiting == nil, authentication == nil {
      return .idling
    }
    guard let authentication, authentication.isSASL,
      outgoing.waiting.map({ authentication.tag.number < $0.number }) ?? true
    else {
      outgoing.release()
      return nil
    }
    return .continuation(try authentication.challenge(text))
  }
}

// What responses leave behind.
extension Session {
  private mutating func learn(_ told: Capabilities) {
    capabilities = told
    authentication?.hasNewCapabilities = true
  }

  private mutating func learn(_ code: ResponseCode?) {
    if case .capability(let told) = code { learn(told) }
  }

  private func redacted(_ status: StatusResponse) -> StatusResponse {
    guard let authentication else { return status }
    return StatusResponse(
      kind: status.kind,
      code: status.code,
      text: authentication.redact(status.text)
    )
  }

  private mutating func traceLine(_ direction: TraceLine.Direction, _ line: [UInt8]) {
    guard isTracing else { return }
    trace.append(TraceLine(direction, line))
  }

  private mutating func drainDecoderTrace() {
    for line in decoder.trace {
      traceLine(.received, authentication?.redact(received: line) ?? line)
    }
    decoder.trace = []
  }
}
