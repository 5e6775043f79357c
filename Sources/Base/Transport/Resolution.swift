internal import Glibc
internal import Platform

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
