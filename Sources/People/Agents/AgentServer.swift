internal import AgentPlan
internal import Glibc
internal import JSON
package import MailModel
internal import Octets
internal import Platform

/// Serves one client on standard input and output, until either ends.
///
/// A thread reads, so that a client can cancel; requests are worked on one by one (`CallRunner`).
package final class AgentServer: Sendable {
  /// Requests that wait at most.
  package static let queueLimit = 16
  /// Seconds in which all ends once the client is gone.
  private static let endLimit = 0.9

  private struct State: Sendable {
    var waiting: [ClientRequest] = []
    /// When all has to end; nil as long as the client is there.
    var end: Deadline?
    var isOutputLost = false
  }

  private let service: AgentService
  private let calls = CallRunner()
  private let state = Monitor(State())
  private let output = Monitor(())
  private let interruption = Interruption()
  private let session: Monitor<ProtocolSession>

  /// A server of an agent; `version` is what clients are told of the program.
  package init(_ service: AgentService, version: String) {
    self.service = service
    session = Monitor(ProtocolSession(version: version))
  }

  /// Serves until the client is gone, or a signal asks for the end.
  ///
  /// - Returns: the status to exit with.
  /// - Throws: that there are no threads.
  package func serve() throws(Explanation) -> ExitStatus {
    Signals.ignoreBrokenPipe()
    interruption.watchSignals()
    do throws(SystemError) {
      _ = try Thread.spawn(name: "requests") { self.readRequests() }
    } catch {
      throw Explanation(.system, error.description)
    }
    while let request = next() { work(on: request) }
    return state.withLock { $0.isOutputLost } ? .output : .success
  }

  // MARK: Reading

  private func readRequests() {
    var frames = LineFrames()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while waitForInput() {
      let count = buffer.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      for message in frames.add(buffer[..<count]) { receive(message) }
    }
    for message in frames.ended() { receive(message) }
    state.update { $0.end = $0.end ?? .after(seconds: Self.endLimit) }
  }

  /// Waits until there is something to read; false once all has to end.
  private func waitForInput() -> Bool {
    while !interruption.isRequested {
      var files = [
        pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
        // It reports a pipe whose reader is gone.
        pollfd(fd: 1, events: 0, revents: 0),
      ]
      guard poll(&files, nfds_t(files.count), -1) > 0 else { continue }
      if files[2].revents & Int16(POLLERR | POLLNVAL) != 0 {
        loseOutput()
        return false
      }
      if files[0].revents != 0 { return true }
    }
    return false
  }

  private func receive(_ message: IncomingMessage) {
    switch message {
    case .ignored: break
    case .invalid(let error, let id): write(ProtocolAnswer.failure(error, to: id))
    case .cancellation(let id):
      state.update { $0.waiting.removeAll { $0.id == id } }
      calls.cancel(id)
    case .request(let request):
      let isTaken = state.update { state in
        guard state.waiting.count < Self.queueLimit else { return false }
        state.waiting.append(request)
        return true
      }
      if !isTaken { write(ProtocolAnswer.tooManyWaiting(request.id)) }
    }
  }

  // MARK: Working

  /// The next request; nil once all has to end.
  private func next() -> ClientRequest? {
    state.wait { !$0.waiting.isEmpty || $0.end != nil }
    return state.withLock { state in
      guard !state.isOutputLost, state.end.map({ !$0.isPast }) ?? true, !state.waiting.isEmpty,
        !interruption.isRequested
      else { return nil }
      let request = state.waiting.removeFirst()
      calls.begin(request.id)
      return request
    }
  }

  private func work(on request: ClientRequest) {
    let offered = service.offered()
    switch session.withLock({ $0.step(request, offering: offered) }) {
    case .answered(let answer): write(answer)
    case .call(let call):
      guard let outcome = perform(call) else { return }
      write(session.withLock { $0.answer(call, outcome) })
    }
  }

  /// What a call came to; nil where no answer is wanted.
  private func perform(_ call: ToolCall) -> ToolOutcome? {
    let client = session.withLock { $0.client }
    return calls.run(
      isEnding: { state.withLock { $0.end?.isPast ?? false } || interruption.isRequested },
      { [service] in service.perform(call, from: client, $0) }
    )
  }

  // MARK: Writing

  /// Octets that a pipe takes at once where it takes any (PIPE_BUF): no write waits, so that a signal is seen.
  private static let pieceSize = 4096

  private func write(_ answer: JSONValue) {
    let octets = answer.text + [ASCII.lineFeed]
    output.withLock { _ in
      var rest = octets[...]
      while !rest.isEmpty, waitForOutput() {
        let piece = rest.prefix(Self.pieceSize)
        let count = piece.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR, errno != EAGAIN {
          return loseOutput()
        }
      }
    }
  }

  /// Waits until something can be written; false once all has to end.
  private func waitForOutput() -> Bool {
    while !interruption.isRequested {
      var files = [
        pollfd(fd: 1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&files, nfds_t(files.count), -1) > 0, files[0].revents != 0 { return true }
    }
    return false
  }

  private func loseOutput() {
    state.update { state in
      state.isOutputLost = true
      state.end = .after(seconds: 0)
    }
  }
}
