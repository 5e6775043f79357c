import Glibc
import Synchronization

/// A TCP proxy on 127.0.0.1 that makes a connection slow, narrow or short.
///
/// As on a real link, the connection itself costs round trips: a greeting reaches the client two round trips
/// after it connected. Slow start is not modelled.
package final class DelayProxy: Sendable {
  /// What the proxy does to each connection.
  package struct Link: Sendable {
    /// Seconds for a question and its answer.
    package var roundTrip: Double = 0

    /// Octets that may be under way in each direction; nil for no limit.
    ///
    /// Throughput is this number in each half of a round trip.
    package var window: Int?

    /// Octets from the server after which the connection is broken; nil for never.
    package var cutAfterDown: Int?

    /// Octets from the client after which the connection is broken; nil for never.
    package var cutAfterUp: Int?

    /// Octets from the server after which nothing comes any more while the connection stays; nil for never.
    package var stallAfterDown: Int?

    /// Whether what the client says is kept for ``DelayProxy/transcript``; of use in clear text only.
    package var isRecorded = false

    /// The connections that are cut or stalled, by their numbers from 1.
    package var meant: ClosedRange<Int> = 1...Int.max

    /// A link without any delay or limit.
    package init() {}

    /// A link with a delay.
    package static func delayed(_ roundTrip: Double) -> Link {
      var link = Link()
      link.roundTrip = roundTrip
      return link
    }
  }

  /// What went through since the start.
  package struct Counters: Sendable {
    /// Connections the client made.
    package var connections = 0

    /// Connections that were cut.
    package var cuts = 0
    /// Octets from the client.
    package var up = 0
    /// Octets from the server.
    package var down = 0
    /// Octets from the server over each connection, by its number from 1.
    package var downOver: [Int: Int] = [:]
    /// How often the client spoke after the server had: round trips seen.
    package var turns = 0
  }

  /// Where it listens.
  package let port: UInt16

  private let target: UInt16
  private let link: Link
  private let state = Mutex<(counters: Counters, didServerSpeak: Bool)>((Counters(), true))
  private let recorded = Mutex<[UInt8]>([])
  private let shared = Shared()

  /// Starts a proxy to a port of 127.0.0.1; it ends when the value goes.
  ///
  /// - Throws: `HarnessError` when it cannot listen.
  package init(to target: UInt16, _ link: Link = Link()) throws {
    let listener: Int32
    (listener, port) = try Loopback.listen()
    self.target = target
    self.link = link
    let shared = shared
    shared.proxy.withLock { $0.value = self }
    _ = Background {
      while let proxy = shared.proxy.withLock({ $0.value }) {
        guard let client = Loopback.accept(listener, seconds: 0.1) else { continue }
        proxy.carry(client)
      }
      close(listener)
    }
  }

  /// What the clients said so far, if the link is recorded.
  package var transcript: String { recorded.withLock { String(decoding: $0, as: UTF8.self) } }

  /// What went through so far.
  package var counters: Counters { state.withLock { $0.counters } }

  private func carry(_ client: Int32) {
    let number = state.withLock { state in
      state.counters.connections += 1
      return state.counters.connections
    }
    let connection = Connection(
      client: client,
      number: number,
      isSpared: !link.meant.contains(number)
    )
    _ = Background { [self] in
      Stopwatch.sleep(link.roundTrip * 1.5)
      guard let server = try? Loopback.connect(port: target) else {
        Loopback.reset(client)
        return
      }
      let up = pump(from: client, to: server, isDown: false, connection)
      let down = pump(from: server, to: client, isDown: true, connection)
      for thread in up + down { thread.join() }
      if connection.isBroken { Loopback.reset(client) } else { close(client) }
      close(server)
    }
  }

  /// Two threads a direction: one notes when octets came, one hands them on when their time is up.
  private func pump(
    from source: Int32,
    to target: Int32,
    isDown: Bool,
    _ connection: Connection
  ) -> [Background] {
    let queue = Queue(window: link.window)
    let reader = Background { [self] in
      while let octets = receive(source, connection) {
        count(octets.count, isDown: isDown, connection)
        if link.isRecorded, !isDown { recorded.withLock { $0 += octets } }
        queue.add(octets, due: Stopwatch.now() + link.roundTrip / 2)
        if octets.isEmpty { break }
      }
      queue.add([], due: Stopwatch.now() + link.roundTrip / 2)
    }
    let writer = Background { [self] in
      var total = 0
      while case let octets = queue.next(), !octets.isEmpty {
        total += octets.count
        let rest = allowed(octets, total, isDown, connection)
        guard Loopback.send(rest, to: target), !connection.isBroken else { break }
      }
      queue.close()
      if connection.isBroken {
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
      } else {
        shutdown(target, Int32(SHUT_WR))
      }
    }
    return [reader, writer]
  }

  private func receive(_ source: Int32, _ connection: Connection) -> [UInt8]? {
    while !connection.isBroken {
      if let octets = Loopback.receive(source, limit: 16_384, seconds: 0.2) { return octets }
    }
    return nil
  }

  private func count(_ octets: Int, isDown: Bool, _ connection: Connection) {
    state.withLock { state in
      if isDown {
        state.counters.down += octets
        state.counters.downOver[connection.number, default: 0] += octets
        if octets > 0 { state.didServerSpeak = true }
      } else {
        state.counters.up += octets
        if octets > 0, state.didServerSpeak { state.counters.turns += 1 }
        if octets > 0 { state.didServerSpeak = false }
      }
    }
  }

  /// What of the last octets still goes through, `total` counted with them.
  private func allowed(
    _ octets: [UInt8],
    _ total: Int,
    _ isDown: Bool,
    _ connection: Connection
  ) -> ArraySlice<UInt8> {
    guard !connection.isSpared else { return octets[...] }
    if isDown, let limit = link.stallAfterDown, total > limit {
      return octets.dropLast(min(octets.count, total - limit))
    }
    guard let limit = isDown ? link.cutAfterDown : link.cutAfterUp, total >= limit else {
      return octets[...]
    }
    connection.breakOff()
    state.withLock { $0.counters.cuts += 1 }
    return octets.dropLast(min(octets.count, total - limit))
  }

  /// One connection of a client.
  private final class Connection: Sendable {
    let client: Int32
    let number: Int
    let isSpared: Bool
    private let broken = Atomic<Bool>(false)

    init(client: Int32, number: Int, isSpared: Bool) {
      self.client = client
      self.number = number
      self.isSpared = isSpared
    }

    var isBroken: Bool { broken.load(ordering: .relaxed) }

    func breakOff() { broken.store(true, ordering: .relaxed) }
  }

  /// Octets under way in one direction.
  private final class Queue: Sendable {
    private let window: Int?
    private let state = Mutex<(parts: [(octets: [UInt8], due: Double)], size: Int, isClosed: Bool)>(
      ([], 0, false)
    )

    init(window: Int?) { self.window = window }

    /// Adds octets, waiting while the window is full; no octets mean the end.
    func add(_ octets: [UInt8], due: Double) {
      while !octets.isEmpty, let window, state.withLock({ $0.size >= window && !$0.isClosed }) {
        Stopwatch.sleep(0.000_5)
      }
      state.withLock { state in
        state.parts.append((octets, window == nil ? due : max(due, Stopwatch.now())))
        state.size += octets.count
      }
    }

    /// The next octets when their time has come; empty at the end.
    func next() -> [UInt8] {
      while true {
        let part = state.withLock { $0.isClosed ? ([], 0) : $0.parts.first }
        guard let part else {
          Stopwatch.sleep(0.000_5)
          continue
        }
        let rest = part.1 - Stopwatch.now()
        if rest > 0 { Stopwatch.sleep(rest) }
        return state.withLock { state in
          guard !state.parts.isEmpty else { return [] }
          state.size -= state.parts[0].octets.count
          return state.parts.removeFirst().octets
        }
      }
    }

    func close() {
      state.withLock { $0.isClosed = true }
    }
  }

  /// Lets the accepting thread see that the proxy is gone.
  private final class Shared: Sendable {
    let proxy = Mutex(Weak())

    struct Weak: Sendable { weak var value: DelayProxy? }
  }
}
