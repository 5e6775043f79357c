internal import Glibc
internal import Octets
internal import Platform
internal import Synchronization

/// A question to the resolver, asked on a thread of its own.
///
/// getaddrinfo(3) can be neither interrupted nor given a deadline. A caller that has waited long enough
/// leaves; the thread ends by itself when the resolver gives up.
final class Lookup: Sendable {
  private let question: @Sendable () -> Resolution
  private let answer = Mutex<Resolution?>(nil)

  init(_ question: @escaping @Sendable () -> Resolution) {
    self.question = question
  }

  /// The addresses of the name, in the order in which to try them (RFC 6724).
  static func addresses(
    of host: String,
    port: UInt16,
    deadline: Deadline,
    interruption: Interruption?
  ) throws(TransportError) -> [SocketAddress] {
    let patience = Patience(deadline: deadline, interruption: interruption, phase: .resolve)
    try patience.checkInterruption()
    if isLoopback(host) { return try loopback(port) }
    // Literals need no answer, hence no thread.
    let literal = Resolution.ofSystem(host: host, port: port, flags: AI_NUMERICHOST)
    if case .addresses(let addresses) = literal { return addresses }
    let lookup = Lookup { Resolution.ofSystem(host: host, port: port, flags: 0) }
    return try lookup.resolution(patience).addresses(of: host)
  }

  /// Whether the name stands for this machine, whatever a resolver says (RFC 6761 §6.3): clear text is allowed to it.
  static func isLoopback(_ host: String) -> Bool {
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    let last = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last
    return last.map { Array($0).equalsCaseless("localhost") } ?? false
  }

  private static func loopback(_ port: UInt16) throws(TransportError) -> [SocketAddress] {
    var addresses: [SocketAddress] = []
    for literal in ["127.0.0.1", "::1"] {
      let resolution = Resolution.ofSystem(host: literal, port: port, flags: AI_NUMERICHOST)
      addresses += try resolution.addresses(of: literal)
    }
    return addresses
  }

  /// Asks, and waits for the answer as long as patience lasts.
  func resolution(_ patience: Patience) throws(TransportError) -> Resolution {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw .system(SystemError(operation: "socketpair", path: nil, code: errno))
    }
    let ours = Descriptor(adopting: ends[0])
    try start(closing: ends[1])
    try patience.wait(for: Int16(POLLIN), on: ours.raw)
    return answer.withLock { $0 } ?? .failed(code: EAI_AGAIN, errno: 0)
  }

  /// Asks on another thread, which closes its end of the pair when it has the answer.
  private func start(closing end: Int32) throws(TransportError) {
    do {
      _ = try Thread.spawn(name: "resolver") {
        let answer = self.question()
        self.answer.withLock { $0 = answer }
        _ = close(end)
      }
    } catch {
      _ = close(end)
      throw .system(error)
    }
  }
}
