import Glibc
import Synchronization

/// A TCP proxy on 127.0.0.1 that counts the flights of a client: all that it sends before it waits for an answer is one.
package final class FlightProxy: Sendable {
  /// Milliseconds of silence after which a client waits for an answer.
  private static let silence: Int32 = 40

  /// Where it listens.
  package let port: UInt16

  private let isStopped = StopSign()
  private let count: Count

  private final class Count: Sendable {
    let flights = Mutex(0)
  }

  /// Starts a proxy to a port of 127.0.0.1; it takes no more connections when the value goes.
  ///
  /// - Throws: `HarnessError` when it cannot listen.
  package init(to target: UInt16) throws {
    let count = Count()
    self.count = count
    port = try Loopback.relay(to: target, until: isStopped) { client, server in
      Self.carry(client, server, count)
    }
  }

  deinit { isStopped.raise() }

  /// The flights since it was asked last, of all connections.
  package func takeFlights() -> Int {
    count.flights.withLock { flights in
      defer { flights = 0 }
      return flights
    }
  }

  private static func carry(_ client: Int32, _ server: Int32, _ count: Count) {
    var pending: [UInt8] = []
    var isGreeted = false
    while true {
      var polls = [
        pollfd(fd: client, events: Int16(POLLIN), revents: 0),
        pollfd(fd: server, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&polls, 2, pending.isEmpty ? 60_000 : silence)
      if ready == 0, !pending.isEmpty {
        count.flights.withLock { $0 += 1 }
        guard Loopback.send(pending, to: server) else { break }
        pending = []
        continue
      }
      guard ready > 0 else { break }
      if polls[1].revents != 0 {
        guard let octets = receive(server) else { break }
        // Over a line on which flights count, a program has time for other work before the server greets it.
        if !isGreeted { Stopwatch.sleep(0.2) }
        isGreeted = true
        guard Loopback.send(octets, to: client) else { break }
      }
      if polls[0].revents != 0 {
        guard let octets = receive(client) else { break }
        pending += octets
      }
    }
    close(client)
    close(server)
  }

  /// What has come; nil at the end.
  private static func receive(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }
}
