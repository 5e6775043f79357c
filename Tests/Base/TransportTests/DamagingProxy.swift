import Glibc
import Synchronization
import TestSupport

/// A way to a server on loopback that turns one octet of the server's over.
final class DamagingProxy: Sendable {
  let port: UInt16

  /// Starts a proxy for one connection; octet number `position` of the server's is damaged.
  init(to target: UInt16, after position: Int) throws {
    let (listener, port) = try Loopback.listen()
    self.port = port
    _ = Background {
      defer { close(listener) }
      guard let client = Loopback.accept(listener, seconds: Peer.timeout) else { return }
      defer { close(client) }
      guard let server = try? Loopback.connect(port: target) else { return }
      defer { close(server) }
      let up = Background {
        while let part = Loopback.receive(client, seconds: Peer.timeout), !part.isEmpty {
          guard Loopback.send(part, to: server) else { break }
        }
        shutdown(server, Int32(SHUT_RDWR))
      }
      var count = 0
      while var part = Loopback.receive(server, seconds: Peer.timeout), !part.isEmpty {
        if (count..<count + part.count).contains(position) { part[position - count] ^= 1 }
        count += part.count
        guard Loopback.send(part, to: client) else { break }
      }
      shutdown(client, Int32(SHUT_RDWR))
      up.join()
    }
  }
}
