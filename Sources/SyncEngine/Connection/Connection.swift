internal import IMAP
internal import Platform
internal import Transport

/// An IMAP session over a byte stream: sends commands, hands out events, waits no longer than it must.
///
/// Used by one thread at a time.
final class Connection {
  /// Seconds without a single octet after which a server counts as gone.
  static let silenceLimit = 30.0

  private static let bufferSize = 1 << 16

  private let stream: ByteStream
  private let trace: (@Sendable (String) -> Void)?
  private var session = Session()
  private var buffer = [UInt8](repeating: 0, count: Connection.bufferSize)
  private var outgoing: ArraySlice<UInt8> = []
  private var events: ArraySlice<Event> = []
  /// Replies that overtook the one that was waited for (RFC 9051 §5.5).
  private var early: [Tag: StatusResponse] = [:]

  init(_ stream: ByteStream, trace: (@Sendable (String) -> Void)?) {
    self.stream = stream
    self.trace = trace
    session.isTracing = trace != nil
  }

  var capabilities: Capabilities { session.capabilities }
  var isEncrypted: Bool { stream.isEncrypted }

  /// Puts a command on its way; its reply is awaited by `finish`.
  func send(_ command: Command) -> Tag {
    session.send(command)
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
    try finish(send(command), handle)
  }

  /// Waits for the reply to a command that was sent before.
  func finish(
    _ tag: Tag,
    _ handle: (Event) throws(SyncFailure) -> Void = { _ in }
  ) throws(SyncFailure) -> StatusResponse {
    if let response = early.removeValue(forKey: tag) { return response }
    while true {
      let event = try nextEvent()
      guard case .tagged(let other, let response) = event else {
        try handle(event)
        continue
      }
      if other == tag { return response }
      early[other] = response
    }
  }

  /// Waits for all replies that are still under way, and drops them, so that none of them is taken
  /// for an answer to what is asked next.
  func settle() throws(SyncFailure) {
    while session.pending > 0 || !events.isEmpty { _ = try nextEvent() }
    early = [:]
  }

  /// The next thing the server says.
  ///
  /// - Throws: `SyncFailure` when it says goodbye, breaks the protocol, falls silent or is gone.
  func nextEvent() throws(SyncFailure) -> Event {
    while true {
      guard let event = events.popFirst() else {
        try pump()
        continue
      }
      if case .bye(let response) = event { throw .hungUp(response) }
      return event
    }
  }

  /// Puts TLS under the session after the server agreed to STARTTLS.
  func startTLS(_ policy: TLSPolicy, deadline: Deadline) throws(SyncFailure) {
    do {
      try session.startedTLS()
    } catch {
      throw .protocolViolation(error)
    }
    do {
      try stream.startTLS(policy, deadline: deadline)
    } catch {
      throw .transport(error)
    }
  }

  /// Says goodbye without waiting for an answer, where nothing stands in the way.
  func close() {
    if isIdle {
      _ = session.send(.logout)
      outgoing += session.takeOutgoing()
      _ = try? exchange(.after(seconds: 0))
      reportTrace()
    }
    stream.close()
  }

  private var isIdle: Bool {
    switch session.state {
    case .authenticated, .selected: session.pending == 0 && session.wantedLiteral == nil
    case .greeting, .notAuthenticated, .logout: false
    }
  }

  private func pump(
    deadline: Deadline = .after(seconds: Connection.silenceLimit)
  ) throws(SyncFailure) {
    outgoing += session.takeOutgoing()
    let count: Int
    do {
      let progress = try exchange(deadline)
      outgoing = outgoing.dropFirst(progress.sent)
      count = progress.received
    } catch {
      throw error == .interrupted ? .interrupted : .transport(error)
    }
    do {
      events = try session.receive(buffer[..<count])[...]
    } catch {
      reportTrace()
      throw .protocolViolation(error)
    }
    reportTrace()
  }

  private func exchange(_ deadline: Deadline) throws(TransportError) -> (sent: Int, received: Int) {
    var result = (sent: 0, received: 0)
    var failure: TransportError?
    buffer.withUnsafeMutableBytes { bytes in
      do throws(TransportError) {
        result = try stream.exchange(sending: outgoing, into: bytes, deadline: deadline)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return result
  }

  private func reportTrace() {
    guard let trace else { return }
    for line in session.takeTrace() {
      trace((line.direction == .sent ? "C: " : "S: ") + line.text)
    }
  }
}
