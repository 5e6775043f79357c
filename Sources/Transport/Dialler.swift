internal import Glibc
internal import Platform

/// Tries the addresses of a server, one after the other, until one of them answers.
struct Dialler {
  let host: String
  let port: UInt16
  let deadline: Deadline
  let interruption: Interruption?

  /// What came of one address.
  private enum Outcome {
    case connected(Int32)
    case failed(SystemError)
  }

  /// Connects to the first address that answers.
  ///
  /// Each address gets an equal share of the time that is left; the last one gets all of it.
  ///
  /// - Returns: a non-blocking socket, which the caller closes.
  func dial(_ addresses: [SocketAddress]) throws(TransportError) -> Int32 {
    var attempts: [SystemError] = []
    for (index, address) in addresses.enumerated() {
      let share = deadline.remaining / Double(addresses.count - index)
      switch try attempt(address, deadline: .after(seconds: share)) {
      case .connected(let socket): return socket
      case .failed(let error): attempts.append(error)
      }
    }
    guard !attempts.isEmpty, attempts.allSatisfy({ $0.code == ETIMEDOUT }) else {
      throw .connect(host: host, port: port, attempts: attempts)
    }
    throw .timedOut(.connect)
  }

  private func attempt(
    _ address: SocketAddress,
    deadline: Deadline
  ) throws(TransportError) -> Outcome {
    let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let socket = Glibc.socket(address.family, Int32(type), 0)
    guard socket >= 0 else { return .failed(Self.error("socket", errno)) }
    do throws(TransportError) {
      let code = try connect(socket, to: address, deadline)
      guard code != 0 else {
        configure(socket)
        return .connected(socket)
      }
      _ = close(socket)
      return .failed(Self.error("connect", code))
    } catch {
      _ = close(socket)
      throw error
    }
  }

  /// - Returns: 0, or the error number of the attempt.
  private func connect(
    _ socket: Int32,
    to address: SocketAddress,
    _ deadline: Deadline
  ) throws(TransportError) -> Int32 {
    guard address.connect(socket) != 0 else { return 0 }
    guard errno == EINPROGRESS || errno == EINTR else { return errno }
    let patience = Patience(deadline: deadline, interruption: interruption, phase: .connect)
    do throws(TransportError) {
      try patience.wait(for: Int16(POLLOUT), on: socket)
    } catch .timedOut {
      return ETIMEDOUT
    }
    return outcome(of: socket)
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
