internal import Glibc
internal import Platform
internal import Synchronization

/// A question to the system's resolver, asked on a thread of its own.
///
/// getaddrinfo(3) can be neither interrupted nor given a deadline. Whoever has waited long enough
/// leaves; the thread ends by itself when the resolver gives up.
final class Lookup: Sendable {
  /// What the resolver answered.
  enum Answer: Sendable {
    case addresses([SocketAddress])
    case failed(code: Int32, errno: Int32)
  }

  private let answer = Mutex<Answer?>(nil)
  private let host: String
  private let port: UInt16

  private init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The addresses of the name, in the order in which to try them (RFC 6724).
  static func addresses(
    of host: String,
    port: UInt16,
    deadline: Deadline,
    interruption: Interruption?
  ) throws(TransportError) -> [SocketAddress] {
    let lookup = Lookup(host: host, port: port)
    let patience = Patience(deadline: deadline, interruption: interruption, phase: .resolve)
    try patience.checkInterruption()
    // Literals need nobody's answer, hence no thread.
    if case .addresses(let addresses) = lookup.ask(flags: AI_NUMERICHOST) { return addresses }
    return try lookup.wait(patience)
  }

  private func wait(_ patience: Patience) throws(TransportError) -> [SocketAddress] {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw .system(SystemError(operation: "socketpair", path: nil, code: errno))
    }
    let (ours, theirs) = (ends[0], ends[1])
    defer { _ = close(ours) }
    try start(closing: theirs)
    try patience.wait(for: Int16(POLLIN), on: ours)
    return try result()
  }

  /// Asks on another thread, which closes its end of the pair when it has the answer.
  private func start(closing end: Int32) throws(TransportError) {
    do {
      _ = try Thread.spawn(name: "resolver") {
        let answer = self.ask(flags: 0)
        self.answer.withLock { $0 = answer }
        _ = close(end)
      }
    } catch {
      _ = close(end)
      throw .system(error)
    }
  }

  private func ask(flags: Int32) -> Answer {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else { return .failed(code: code, errno: errno) }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let address = SocketAddress(entry) { addresses.append(address) }
      next = entry.ai_next
    }
    return .addresses(addresses)
  }

  private func result() throws(TransportError) -> [SocketAddress] {
    switch answer.withLock({ $0 }) {
    case .addresses(let addresses): return addresses
    case .failed(EAI_SYSTEM, let errno):
      throw .system(SystemError(operation: "getaddrinfo", path: nil, code: errno))
    case .failed(let code, _):
      throw .nameNotFound(
        host: host,
        detail: String(cString: gai_strerror(code)),
        isTemporary: code != EAI_NONAME && code != Self.noData
      )
    case nil:
      throw .nameNotFound(host: host, detail: "no answer", isTemporary: true)
    }
  }

  /// EAI_NODATA: the name is there but has no address; glibc shows it to GNU programs only.
  private static let noData: Int32 = -5
}
