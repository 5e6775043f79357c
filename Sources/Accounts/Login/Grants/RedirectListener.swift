internal import Glibc
package import OAuth
internal import Octets
package import Platform

/// Listens on this machine alone, on IPv4 and IPv6, for the browser that an authorization server sends back.
///
/// Only a request with the right path, host and state ends the wait; all others are answered and forgotten.
package final class RedirectListener: Sendable {
  /// Requests after which something else than a browser must be at work.
  private static let requestCount = 100

  /// The port, the same for both addresses.
  package let port: UInt16

  private let sockets: [Int32]

  /// Listens on a port that is free.
  ///
  /// - Throws: the error of socket(2), bind(2) or listen(2).
  package init() throws(SystemError) {
    for _ in 0..<10 {
      let (first, port) = try LoopbackSocket.listen(.v4, port: 0)
      do throws(SystemError) {
        let (second, _) = try LoopbackSocket.listen(.v6, port: port)
        sockets = [first, second]
      } catch {
        // Another program has the same port on the other address: a browser might go there.
        if error.code == EADDRINUSE {
          close(first)
          continue
        }
        sockets = [first]
      }
      self.port = port
      return
    }
    throw SystemError(operation: "bind", path: nil, code: EADDRINUSE)
  }

  deinit { for socket in sockets { close(socket) } }

  /// Waits for the answer to a login.
  ///
  /// - Parameters:
  ///   - request: the login.
  ///   - input: a descriptor on which the final address may come as a line; nil for none.
  ///   - needsInput: whether there is nothing to wait for once `input` has ended.
  ///   - deadline: when to give up.
  ///   - interruption: ends the wait.
  ///   - rejecting: gets what is wrong with a line that came on `input`; the wait goes on.
  /// - Returns: the answer that ended the wait; nil where the deadline came first.
  /// - Throws: where too many requests came that were none, or the program is to end.
  package func wait(
    for request: AuthorizationRequest,
    input: Int32?,
    needsInput: Bool,
    deadline: Deadline,
    interruption: Interruption,
    rejecting: (RedirectAnswer) -> Void
  ) throws(LoginFailure) -> RedirectAnswer? {
    var visits = RedirectVisits()
    var pasted = input.map { PastedLines($0) }
    while !deadline.isPast {
      let ready = Self.poll(
        sockets + [interruption.descriptor, pasted?.descriptor ?? -1] + visits.sockets,
        until: min(visits.deadline, deadline)
      )
      if interruption.isRequested { throw .interrupted }
      if let answer = visits.answer(request, ready) { return answer }
      guard visits.count < Self.requestCount else { throw .tooManyRequests }
      pasted?.read(isReady: ready)
      while let line = pasted?.next() {
        if let answer = answer(line, request, rejecting) { return answer }
      }
      if needsInput, pasted?.descriptor == nil { throw .inputEnded }
      for socket in sockets where ready.contains(socket) { visits.accept(from: socket) }
    }
    return nil
  }

  private func answer(
    _ line: [UInt8],
    _ request: AuthorizationRequest,
    _ rejecting: (RedirectAnswer) -> Void
  ) -> RedirectAnswer? {
    let answer = request.answer(toPasted: line)
    if answer.endsWait { return answer }
    rejecting(answer)
    return nil
  }

  /// The descriptors that can be read, or have come to their end.
  private static func poll(_ descriptors: [Int32], until deadline: Deadline) -> Set<Int32> {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = Glibc.poll(&requests, nfds_t(requests.count), deadline.pollMilliseconds)
    return Set(requests.filter { $0.fd >= 0 && $0.revents != 0 }.map(\.fd))
  }
}

/// The connections that are open, and how many there were.
private struct RedirectVisits: ~Copyable {
  /// Seconds that a connection gets for its request.
  private static let requestLimit = 5.0

  /// Connections that are open at once; browsers open more than they need.
  private static let connectionLimit = 20

  /// How many connections were answered.
  private(set) var count = 0
  private var open: [RedirectConnection] = []

  deinit { for connection in open { close(connection.socket) } }

  var sockets: [Int32] { open.map(\.socket) }

  /// When the first of them has had its time.
  var deadline: Deadline { open.map(\.deadline).min() ?? .never }

  mutating func accept(from listener: Int32) {
    guard let socket = LoopbackSocket.accept(listener) else { return }
    open.append(RedirectConnection(socket, deadline: .after(seconds: Self.requestLimit)))
    if open.count > Self.connectionLimit { close(open.removeFirst().socket) }
  }

  /// Reads what came, and answers what is whole; gives the answer that ends the wait.
  mutating func answer(
    _ request: AuthorizationRequest,
    _ ready: Set<Int32>
  ) -> RedirectAnswer? {
    for index in open.indices.reversed()
    where ready.contains(open[index].socket) || open[index].deadline.isPast {
      guard let answer = open[index].read(request) else { continue }
      close(open.remove(at: index).socket)
      count += 1
      if answer.endsWait { return answer }
    }
    return nil
  }
}

/// A connection of a browser, or of something else.
private struct RedirectConnection {
  let socket: Int32
  let deadline: Deadline
  private var octets: [UInt8] = []

  init(_ socket: Int32, deadline: Deadline) {
    self.socket = socket
    self.deadline = deadline
  }

  /// Reads what is there; once all of it is, or no more will come, answers it and says what it was.
  mutating func read(_ request: AuthorizationRequest) -> RedirectAnswer? {
    var buffer = [UInt8](repeating: 0, count: RedirectAnswer.lengthLimit + 1)
    let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 { octets += buffer[..<count] }
    let mayGoOn = count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    let isWhole =
      AuthorizationRequest.isComplete(octets) || octets.count > RedirectAnswer.lengthLimit
    if mayGoOn, !isWhole, !deadline.isPast { return nil }
    let answer = request.answer(toRequest: octets)
    // A connection that was opened in advance and not used needs no answer.
    if !octets.isEmpty { send(RedirectPage.octets(for: answer)) }
    return answer
  }

  private func send(_ page: [UInt8]) {
    var rest = page[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(
          socket,
          $0.baseAddress,
          $0.count,
          Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        )
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
    shutdown(socket, Int32(SHUT_WR))
  }
}

/// Lines that a person pastes.
private struct PastedLines {
  /// Where they come from; nil after their end.
  private(set) var descriptor: Int32?
  private var octets: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Reads what there is; what cannot be read has ended.
  mutating func read(isReady ready: Set<Int32>) {
    guard let source = descriptor, ready.contains(source) else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(source, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    octets += buffer.prefix(max(count, 0))
    if count <= 0 || octets.count > RedirectAnswer.lengthLimit { descriptor = nil }
  }

  /// The next line that is not empty; nil where none is whole.
  ///
  /// At the end the rest is one.
  mutating func next() -> [UInt8]? {
    while !octets.isEmpty {
      let end = octets.firstIndex(of: ASCII.lineFeed)
      guard let end = end ?? (descriptor == nil ? octets.endIndex : nil) else { return nil }
      let line = [UInt8](octets[..<end])
      octets.removeSubrange(..<min(end + 1, octets.endIndex))
      if line.contains(where: { $0 > ASCII.space }) { return line }
    }
    return nil
  }
}

/// What the browser shows after a login.
enum RedirectPage {
  /// The whole answer to a request, after which the connection is closed.
  static func octets(for answer: RedirectAnswer) -> [UInt8] {
    let (status, text) = words(answer)
    let body = Array((text + "\n").utf8)
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: text/plain; charset=utf-8",
      "Content-Length: \(body.count)", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "X-Content-Type-Options: nosniff", "Connection: close",
    ]
    return head.flatMap { Array($0.utf8) + [ASCII.carriageReturn, ASCII.lineFeed] }
      + [ASCII.carriageReturn, ASCII.lineFeed] + body
  }

  private static func words(_ answer: RedirectAnswer) -> (status: String, text: String) {
    switch answer {
    case .code: ("200 OK", "Return to the terminal. You can close this page.")
    case .refused: ("200 OK", "The login was refused. Return to the terminal.")
    case .otherIssuer:
      ("400 Bad Request", "This answer comes from another server. Return to the terminal.")
    case .otherPath: ("404 Not Found", "Not found")
    case .malformed: ("400 Bad Request", "This is not the answer to the login that goes on")
    }
  }
}
