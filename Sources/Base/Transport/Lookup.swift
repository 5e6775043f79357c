internal import Glibc
internal import Octets
package import Platform

extension ByteStream {
  /// Whether the resolver has an address for a host by then.
  package static func hasAddress(_ host: String, by deadline: Deadline) -> Bool {
    !addresses(of: host, by: deadline).isEmpty
  }

  /// The addresses of a host, 4 or 16 octets each, that the resolver has by then; empty where it has none.
  package static func addresses(of host: String, by deadline: Deadline) -> [[UInt8]] {
    let timeout = IOTimeout(deadline: deadline, interruption: nil, phase: .resolve)
    let addresses: [SocketAddress]? =
      switch try? Lookup.begin(host: host, port: 0) {
      case .found(let addresses): addresses
      case .asked(let lookup): try? lookup.finish(timeout).addresses(of: host)
      case nil: nil
      }
    return (addresses ?? []).map(\.host)
  }
}

/// A question to the resolver, asked on a thread of its own.
///
/// getaddrinfo(3) can be neither interrupted nor given a deadline. A caller that has waited long enough
/// leaves; the thread ends by itself when the resolver gives up.
final class Lookup: Sendable {
  /// What is known of a name at once.
  enum Beginning {
    /// The addresses, in the order in which to try them.
    case found([SocketAddress])
    /// The resolver is asked for them.
    case asked(Lookup)
  }

  private let answer = Monitor<Resolution?>(nil)
  /// What can be read once the answer is there.
  private let end: Descriptor

  /// Asks the question on another thread, which closes its end of a pair when it has the answer.
  init(_ question: @escaping @Sendable () -> Resolution) throws(TransportError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw .system(SystemError(operation: "socketpair", path: nil, code: errno))
    }
    end = Descriptor(adopting: ends[0])
    try Self.start(question, answer, closing: ends[1])
  }

  private static func start(
    _ question: @escaping @Sendable () -> Resolution,
    _ answer: Monitor<Resolution?>,
    closing end: Int32
  ) throws(TransportError) {
    do {
      _ = try Thread.spawn(name: "resolver") {
        let found = question()
        answer.withLock { $0 = found }
        _ = close(end)
      }
    } catch {
      _ = close(end)
      throw .system(error)
    }
  }

  /// Begins to look for the addresses of a name, in the order in which to try them (RFC 6724), without waiting.
  static func begin(host: String, port: UInt16) throws(TransportError) -> Beginning {
    if isLoopback(host) { return .found(try loopback(port)) }
    // Literals need no answer, hence no thread.
    let literal = Resolution.ofSystem(host: host, port: port, flags: AI_NUMERICHOST)
    if case .addresses(let addresses) = literal { return .found(addresses) }
    return .asked(try Lookup { Resolution.ofSystem(host: host, port: port, flags: 0) })
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

  /// Waits for the answer no longer than the time limit.
  func finish(_ timeout: IOTimeout) throws(TransportError) -> Resolution {
    try timeout.wait(for: Int16(POLLIN), on: end.raw)
    return answer.withLock { $0 } ?? .failed(code: EAI_AGAIN, errno: 0)
  }
}

/// What the resolver answered.
enum Resolution: Hashable, Sendable {
  /// The addresses, best first.
  case addresses([SocketAddress])

  /// An error of getaddrinfo(3); the error number counts for EAI_SYSTEM.
  case failed(code: Int32, errno: Int32)

  /// EAI_NODATA: the name is there but has no address; glibc shows it to GNU programs only.
  static let noData: Int32 = -5

  /// Asks the system's resolver; blocks until it has an answer or gives up.
  static func ofSystem(host: String, port: UInt16, flags: Int32) -> Resolution {
    guard !host.isEmpty, !host.utf8.contains(0) else { return .failed(code: EAI_NONAME, errno: 0) }
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else { return .failed(code: code, errno: Glibc.errno) }
    defer { freeaddrinfo(list) }
    return .addresses(addresses(in: list))
  }

  /// The addresses, or the error for the user.
  func addresses(of host: String) throws(TransportError) -> [SocketAddress] {
    switch self {
    case .addresses(let addresses):
      return addresses
    case .failed(EAI_SYSTEM, let errno):
      throw .system(SystemError(operation: "getaddrinfo", path: nil, code: errno))
    case .failed(let code, _):
      throw .nameNotFound(
        host: host,
        detail: String(cString: gai_strerror(code)),
        isTemporary: code != EAI_NONAME && code != Self.noData
      )
    }
  }

  private static func addresses(in list: UnsafeMutablePointer<addrinfo>?) -> [SocketAddress] {
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let address = SocketAddress(entry) { addresses.append(address) }
      next = entry.ai_next
    }
    return addresses
  }
}

/// The address of a socket as the system writes it.
struct SocketAddress: Hashable, Sendable {
  let family: Int32
  private let octets: [UInt8]

  init?(_ entry: addrinfo) {
    guard let address = entry.ai_addr else { return nil }
    family = entry.ai_family
    octets = Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
  }

  /// The address of the host alone, in the order of the network: behind family and port, and in version 6 the flow.
  var host: [UInt8] {
    [UInt8](family == AF_INET ? octets.dropFirst(4).prefix(4) : octets.dropFirst(8).prefix(16))
  }

  /// Begins to connect the socket; the result of connect(2).
  func connect(_ socket: Int32) -> Int32 {
    octets.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return -1 }
      return base.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(buffer.count))
      }
    }
  }
}
