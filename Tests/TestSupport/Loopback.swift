import Glibc
import Synchronization

/// Sockets on 127.0.0.1, by descriptor.
package enum Loopback {
  /// Listens on a port, 0 for one the system chooses.
  ///
  /// - Throws: `HarnessError` when the port is taken.
  package static func listen(port: UInt16 = 0) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw HarnessError(call: "socket", code: errno) }
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, 4)
    let isBound = withAddress(port) { bind(descriptor, $0, $1) } == 0
    guard isBound, Glibc.listen(descriptor, 64) == 0 else {
      let code = errno
      close(descriptor)
      throw HarnessError(call: "bind \(port)", code: code)
    }
    return (descriptor, boundPort(descriptor))
  }

  /// The ports that were given out: anyone who got one may not listen yet.
  private static let given = Mutex<Set<UInt16>>([])

  /// A port of 127.0.0.1 that nobody listens on, outside the range that outgoing connections use; each time another one.
  ///
  /// - Throws: `HarnessError` when none of many is free.
  package static func freePort() throws -> UInt16 {
    for _ in 0..<200 {
      guard let (descriptor, port) = try? listen(port: UInt16.random(in: 12_000..<30_000)) else {
        continue
      }
      close(descriptor)
      if given.withLock({ $0.insert(port).inserted }) { return port }
    }
    throw HarnessError("no free port")
  }

  /// Connects to a port.
  ///
  /// - Throws: `HarnessError` when nobody listens there.
  package static func connect(port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw HarnessError(call: "socket", code: errno) }
    guard withAddress(port, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let code = errno
      close(descriptor)
      throw HarnessError(call: "connect to port \(port)", code: code)
    }
    sendAtOnce(descriptor)
    return descriptor
  }

  /// Listens, and dials the target for each connection that comes, until the sign is given; `carry` has both, on a thread of
  /// its own.
  ///
  /// - Returns: the port where it listens.
  /// - Throws: `HarnessError` when it cannot listen.
  package static func relay(
    to target: UInt16,
    until isStopped: StopSign,
    _ carry: @escaping @Sendable (_ client: Int32, _ server: Int32) -> Void
  ) throws -> UInt16 {
    let (listener, port) = try listen()
    _ = Background {
      while !isStopped.value {
        guard let client = accept(listener, seconds: 0.1) else { continue }
        guard let server = try? connect(port: target) else {
          reset(client)
          continue
        }
        _ = Background { carry(client, server) }
      }
      close(listener)
    }
    return port
  }

  /// The next connection; nil when none came in time or the listener is closed.
  package static func accept(_ listener: Int32, seconds: Double) -> Int32? {
    guard isReady(listener, POLLIN, seconds: seconds) else { return nil }
    let descriptor = Spawning.withoutSpawns {
      let descriptor = Glibc.accept(listener, nil, nil)
      if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      return descriptor
    }
    guard descriptor >= 0 else { return nil }
    sendAtOnce(descriptor)
    return descriptor
  }

  /// What has arrived, at least one octet; empty when the other side closed, nil when the time ran out.
  package static func receive(
    _ descriptor: Int32,
    limit: Int = 65_536,
    seconds: Double
  ) -> [UInt8]? {
    guard isReady(descriptor, POLLIN, seconds: seconds) else { return nil }
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, 0)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// Whether something came, or the other side is gone, within so many seconds.
  package static func hasInput(_ descriptor: Int32, seconds: Double) -> Bool {
    isReady(descriptor, POLLIN, seconds: seconds)
  }

  /// Sends everything; false when the other side is gone.
  @discardableResult
  package static func send(_ octets: some Collection<UInt8>, to descriptor: Int32) -> Bool {
    var rest = Array(octets)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Closes so that the other side sees a reset, not an orderly end.
  package static func reset(_ descriptor: Int32) {
    resetWhenClosed(descriptor)
    close(descriptor)
  }

  /// Lets the other side see a reset when the descriptor is closed by the one that owns it.
  package static func resetWhenClosed(_ descriptor: Int32) {
    var lingering = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
  }

  /// Waits until the descriptor is ready, closed or failed.
  package static func isReady(_ descriptor: Int32, _ events: Int32, seconds: Double) -> Bool {
    let end = Stopwatch.now() + seconds
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let rest = max(0, min(end - Stopwatch.now(), 3600))
      // Rounded up: the last part of a millisecond would be spent asking again and again.
      let count = poll(&entry, 1, Int32((rest * 1000).rounded(.up)))
      if count > 0 { return true }
      if count == 0, Stopwatch.now() >= end { return false }
      if count < 0, errno != EINTR { return false }
    }
  }

  private static func sendAtOnce(_ descriptor: Int32) {
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
  }

  private static func boundPort(_ descriptor: Int32) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &size)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func withAddress(
    _ port: UInt16,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
