internal import Glibc
internal import Platform

/// Tries the addresses of a server, one after the other, until one of them answers.
struct SocketConnector {
  let host: String
  let port: UInt16
  let deadline: Deadline
  let interruption: Interruption?

  /// A connection to one address that was begun.
  struct Attempt {
    /// The non-blocking socket; -1 where there is none.
    let socket: Int32
    /// Why it failed; nil where it did not yet.
    let error: SystemError?

    /// Gives it up.
    func close() {
      if socket >= 0 { _ = Glibc.close(socket) }
    }
  }

  /// What came of one address.
  private enum Outcome {
    case connected(Int32)
    case failed(SystemError)
  }

  /// Begins to connect to an address, without waiting.
  static func begin(_ address: SocketAddress) -> Attempt {
    let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let socket = Glibc.socket(address.family, Int32(type), 0)
    guard socket >= 0 else { return Attempt(socket: -1, error: Self.error("socket", errno)) }
    guard address.connect(socket) != 0, errno != EINPROGRESS, errno != EINTR else {
      return Attempt(socket: socket, error: nil)
    }
    return Attempt(socket: socket, error: Self.error("connect", errno))
  }

  /// Connects to the first address that answers; `begun` is the attempt at the first of them, nil where none was begun yet.
  ///
  /// Each address gets an equal share of the time that is left; the last one gets all of it.
  ///
  /// - Returns: a non-blocking socket, which the caller closes.
  func connect(
    _ addresses: [SocketAddress],
    begun: Attempt? = nil
  ) throws(TransportError) -> Int32 {
    var begun = begun
    var failures: [SystemError] = []
    for (index, address) in addresses.enumerated() {
      let share = deadline.remaining / Double(addresses.count - index)
      let attempt = begun.take() ?? Self.begin(address)
      switch try finish(attempt, .after(seconds: share)) {
      case .connected(let socket): return socket
      case .failed(let error): failures.append(error)
      }
    }
    guard !failures.isEmpty, failures.allSatisfy({ $0.code == ETIMEDOUT }) else {
      throw .connect(host: host, port: port, attempts: failures)
    }
    throw .timedOut(.connect)
  }

  /// Waits for what comes of an attempt, whose socket is closed unless it is connected.
  private func finish(
    _ attempt: Attempt,
    _ deadline: Deadline
  ) throws(TransportError) -> Outcome {
    do throws(TransportError) {
      if let error = try failure(of: attempt, deadline) {
        attempt.close()
        return .failed(error)
      }
      configure(attempt.socket)
      return .connected(attempt.socket)
    } catch {
      attempt.close()
      throw error
    }
  }

  private func failure(
    of attempt: Attempt,
    _ deadline: Deadline
  ) throws(TransportError) -> SystemError? {
    if let error = attempt.error { return error }
    let timeout = IOTimeout(deadline: deadline, interruption: interruption, phase: .connect)
    do throws(TransportError) {
      try timeout.wait(for: Int16(POLLOUT), on: attempt.socket)
    } catch .timedOut {
      return Self.error("connect", ETIMEDOUT)
    }
    let code = outcome(of: attempt.socket)
    return code == 0 ? nil : Self.error("connect", code)
  }

  private func outcome(of socket: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
    return code
  }

  /// Small commands go at once; a peer that vanished without a word is noticed within two minutes.
  private func configure(_ socket: Int32) {
    set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    set(socket, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(socket, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60)
    set(socket, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 15)
    set(socket, Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
  }

  private func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    // A socket without the option is as good, only slower.
    _ = setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func error(_ operation: String, _ code: Int32) -> SystemError {
    SystemError(operation: operation, path: nil, code: code)
  }
}
