import Glibc
import Synchronization

/// A TCP proxy on 127.0.0.1 that lets others act at one moment: right before a command reaches the server.
///
/// Clear text only. The rest of what the client sends waits meanwhile.
package final class MeddlingProxy: Sendable {
  /// Where it listens.
  package let port: UInt16

  /// Whether the moment has come.
  package var hasActed: Bool { deed.withLock { $0 == nil } }

  private let isStopped = StopSign()
  private let deed: Mutex<(@Sendable () -> Void)?>

  /// Starts a proxy to a port of 127.0.0.1; it takes no more connections when the value goes.
  ///
  /// - Parameters:
  ///   - target: The server's port.
  ///   - words: What the line has in it before which `act` is called, once.
  ///   - act: What others do at this moment.
  /// - Throws: `HarnessError` when it cannot listen.
  package init(to target: UInt16, before words: String, act: @escaping @Sendable () -> Void) throws
  {
    deed = Mutex(act)
    let listener: Int32
    (listener, port) = try Loopback.listen()
    let isStopped = isStopped
    _ = Background { [weak self] in
      while !isStopped.value {
        guard let client = Loopback.accept(listener, seconds: 0.1) else { continue }
        guard let self, let server = try? Loopback.connect(port: target) else {
          Loopback.reset(client)
          continue
        }
        _ = Background { self.carry(client, server, Array(words.utf8)) }
      }
      close(listener)
    }
  }

  deinit { isStopped.raise() }

  private func carry(_ client: Int32, _ server: Int32, _ words: [UInt8]) {
    let up = Background { [self] in
      while let octets = Loopback.receive(client, seconds: 120), !octets.isEmpty {
        for line in Self.lines(octets) where !send(line, to: server, words) { break }
      }
      shutdown(server, Int32(SHUT_WR))
    }
    while let octets = Loopback.receive(server, seconds: 120), !octets.isEmpty,
      Loopback.send(octets, to: client)
    {}
    shutdown(client, Int32(SHUT_RDWR))
    up.join()
    close(client)
    close(server)
  }

  private func send(_ line: ArraySlice<UInt8>, to server: Int32, _ words: [UInt8]) -> Bool {
    if line.firstRange(of: words) != nil { act() }
    return Loopback.send(line, to: server)
  }

  private func act() {
    let act = deed.withLock { deed in
      defer { deed = nil }
      return deed
    }
    act?()
  }

  /// The lines with their ends, and what is left of the last.
  private static func lines(_ octets: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = octets[...]
    while let end = rest.firstIndex(of: 10) {
      lines.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }
}
