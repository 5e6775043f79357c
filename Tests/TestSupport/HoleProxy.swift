import Glibc
import Synchronization

/// A TCP proxy on 127.0.0.1 that can swallow all octets for a while, in both directions, while its connections stay: a network
/// that is gone without a word.
///
/// It can also cut its connections off, once so many octets have gone through, and hang up at once.
package final class HoleProxy: Sendable {
  /// Where it listens.
  package let port: UInt16

  private let isStopped = StopSign()
  private let carrier: Carrier

  /// Starts a proxy to a port of 127.0.0.1; it takes no more connections when the value goes.
  ///
  /// - Parameters:
  ///   - target: The server's port.
  ///   - octets: How many octets of both directions go through before all connections end by a reset, once; nil for no end.
  /// - Throws: `HarnessError` when it cannot listen.
  package init(to target: UInt16, resettingAfter octets: Int? = nil) throws {
    let carrier = Carrier(resettingAfter: octets)
    self.carrier = carrier
    port = try Loopback.relay(to: target, until: isStopped) { carrier.carry($0, $1) }
  }

  deinit { isStopped.raise() }

  /// Whether so many octets went through.
  package var hasReset: Bool { carrier.hasReset }

  /// From now on whether octets are swallowed; those of a connection that lost some are swallowed for ever.
  package func swallow(_ isOn: Bool) { carrier.isHole.set(isOn) }

  /// From now on whether connections are taken and ended at once.
  package func hangUp(_ isOn: Bool) { carrier.isHangingUp.set(isOn) }

  /// Has the connections that are open end by a reset.
  package func reset() { carrier.reset() }
}

/// The connections of a proxy.
private final class Carrier: Sendable {
  /// The descriptors of a connection.
  private struct Ends: Hashable {
    let client: Int32
    let server: Int32
    /// Whether neither side hears that it ends in the usual way.
    let isLost: StopSign

    static func == (one: Ends, other: Ends) -> Bool { one.isLost === other.isLost }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(isLost)) }
  }

  let isHole = Switch()
  let isHangingUp = Switch()
  private let open = Mutex<Set<Ends>>([])
  /// How many octets go through before the reset; nil where there is none, or it was.
  private let rest: Mutex<Int?>
  private let isResetPlanned: Bool

  init(resettingAfter octets: Int?) {
    rest = Mutex(octets)
    isResetPlanned = octets != nil
  }

  var hasReset: Bool { isResetPlanned && rest.withLock { $0 == nil } }

  func carry(_ client: Int32, _ server: Int32) {
    let ends = Ends(client: client, server: server, isLost: StopSign())
    if !isHangingUp.isOn {
      open.withLock { _ = $0.insert(ends) }
      let up = Background { self.pass(client, server, ends) }
      pass(server, client, ends)
      up.join()
    }
    open.withLock {
      $0.remove(ends)
      close(client)
      close(server)
    }
  }

  func reset() {
    open.withLock { open in
      for ends in open {
        ends.isLost.raise()
        Loopback.resetWhenClosed(ends.client)
        // Nothing is sent by that.
        for descriptor in [ends.client, ends.server] { shutdown(descriptor, Int32(SHUT_RD)) }
      }
    }
  }

  /// How many of some octets go through before the reset.
  private func count(_ octets: [UInt8]) -> Int {
    rest.withLock { rest in
      guard let left = rest else { return octets.count }
      rest = left < octets.count ? nil : left - octets.count
      return min(left, octets.count)
    }
  }

  private func pass(_ source: Int32, _ target: Int32, _ ends: Ends) {
    while let octets = Loopback.receive(source, seconds: 300), !octets.isEmpty {
      if isHole.isOn { ends.isLost.raise() }
      let count = count(octets)
      if !ends.isLost.value, !Loopback.send(octets.prefix(count), to: target) { break }
      if count < octets.count { reset() }
    }
    for descriptor in [source, target] where !ends.isLost.value {
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }
}

/// Something that is so or not.
private final class Switch: Sendable {
  private let state = Atomic(false)

  var isOn: Bool { state.load(ordering: .acquiring) }

  func set(_ isOn: Bool) { state.store(isOn, ordering: .releasing) }
}
