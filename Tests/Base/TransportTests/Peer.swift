import Glibc
import Synchronization
import TestSupport

/// A listener on loopback that does one thing to its first connection, on a thread of its own.
final class Peer: Sendable {
  /// Where it listens on 127.0.0.1.
  let port: UInt16

  /// How long tests wait for something that should happen at once.
  static let timeout: Double = 20

  private let thread: Background

  /// Starts a listener; the connection is closed after the body.
  init(_ body: @escaping @Sendable (Int32) -> Void) throws {
    let (listener, port) = try Loopback.listen()
    self.port = port
    thread = Background {
      if let connection = Loopback.accept(listener, seconds: Peer.timeout) {
        body(connection)
        close(connection)
      }
      close(listener)
    }
  }

  /// Waits until the body has ended.
  func join() {
    thread.join()
  }

  /// A peer that does nothing until the other side has closed.
  static func silent() throws -> Peer {
    try Peer { connection in
      while let octets = Loopback.receive(connection, seconds: timeout), !octets.isEmpty {}
    }
  }

  /// A peer that says something, then closes.
  static func saying(_ text: String) throws -> Peer {
    try Peer { connection in
      Loopback.send(text.utf8, to: connection)
      shutdown(connection, Int32(SHUT_WR))
      while let octets = Loopback.receive(connection, seconds: timeout), !octets.isEmpty {}
    }
  }

  /// A peer that sends everything back, octet by octet the same.
  static func echo() throws -> Peer {
    try Peer { connection in
      while let octets = Loopback.receive(connection, seconds: timeout), !octets.isEmpty {
        guard Loopback.send(octets, to: connection) else { break }
      }
    }
  }
}
