import Glibc
import Synchronization

/// A TCP proxy on 127.0.0.1 that can swallow all octets for a while, in both directions, while its connections stay: a network
/// that is gone without a word.
package final class HoleProxy: Sendable {
  /// Where it listens.
  package let port: UInt16

  private let isStopped = StopSign()
  private let isHole = Switch()

  /// Starts a proxy to a port of 127.0.0.1; it takes no more connections when the value goes.
  package init(to target: UInt16) throws {
    let isHole = isHole
    port = try Loopback.relay(to: target, until: isStopped) { client, server in
      Self.carry(client, server, isHole)
    }
  }

  deinit { isStopped.raise() }

  /// From now on whether octets are swallowed; those of a connection that lost some are swallowed for ever.
  package func swallow(_ isOn: Bool) { isHole.set(isOn) }

  private static func carry(_ client: Int32, _ server: Int32, _ isHole: Switch) {
    let isLost = StopSign()
    let up = Background { pass(client, server, isHole, isLost) }
    pass(server, client, isHole, isLost)
    up.join()
    close(client)
    close(server)
  }

  private static func pass(
    _ source: Int32,
    _ target: Int32,
    _ isHole: Switch,
    _ isLost: StopSign
  ) {
    while let octets = Loopback.receive(source, seconds: 300), !octets.isEmpty {
      if isHole.isOn { isLost.raise() }
      if !isLost.value, !Loopback.send(octets, to: target) { break }
    }
    for descriptor in [source, target] where !isLost.value {
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
