internal import Glibc

/// The address of a socket as the system writes it.
struct SocketAddress: Hashable, Sendable {
  let family: Int32
  private let octets: [UInt8]

  init?(_ entry: addrinfo) {
    guard let address = entry.ai_addr else { return nil }
    family = entry.ai_family
    octets = Array(UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen)))
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
