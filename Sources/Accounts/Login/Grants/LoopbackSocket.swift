internal import Glibc
internal import Platform

/// Sockets that only this machine can reach.
enum LoopbackSocket {
  /// Which loopback address.
  enum Family {
    /// 127.0.0.1
    case v4
    /// ::1
    case v6
  }

  /// Listens on a port; 0 for any that is free.
  ///
  /// - Throws: the error of the call that failed.
  static func listen(
    _ family: Family,
    port: UInt16
  ) throws(SystemError) -> (socket: Int32, port: UInt16) {
    let domain = family == .v4 ? AF_INET : AF_INET6
    let descriptor = socket(domain, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw error("socket") }
    do throws(SystemError) {
      guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
        fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
      else { throw error("fcntl") }
      guard bind(descriptor, family, port) == 0 else { throw error("bind") }
      guard Glibc.listen(descriptor, 20) == 0 else { throw error("listen") }
      return (descriptor, try self.port(of: descriptor))
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// The next connection; nil where there is none.
  static func accept(_ listener: Int32) -> Int32? {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func bind(_ descriptor: Int32, _ family: Family, _ port: UInt16) -> Int32 {
    switch family {
    case .v4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return bind(descriptor, &address, MemoryLayout<sockaddr_in>.size)
    case .v6:
      var only: Int32 = 1
      setsockopt(
        descriptor,
        Int32(IPPROTO_IPV6),
        IPV6_V6ONLY,
        &only,
        socklen_t(MemoryLayout<Int32>.size)
      )
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return bind(descriptor, &address, MemoryLayout<sockaddr_in6>.size)
    }
  }

  private static func bind<Address>(
    _ descriptor: Int32,
    _ address: inout Address,
    _ size: Int
  ) -> Int32 {
    withUnsafeBytes(of: &address) { octets in
      guard let pointer = octets.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return -1
      }
      return Glibc.bind(descriptor, pointer, socklen_t(size))
    }
  }

  /// The port that a socket got; at the same place in both kinds of addresses.
  private static func port(of descriptor: Int32) throws(SystemError) -> UInt16 {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutableBytes(of: &address) { octets -> Int32 in
      guard let pointer = octets.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return -1
      }
      return getsockname(descriptor, pointer, &size)
    }
    guard result == 0 else { throw error("getsockname") }
    return UInt16(bigEndian: address.sin6_port)
  }

  private static func error(_ operation: String) -> SystemError {
    SystemError(operation: operation, path: nil, code: errno)
  }
}
