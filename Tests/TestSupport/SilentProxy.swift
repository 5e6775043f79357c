import Glibc

/// A TCP proxy on 127.0.0.1 that keeps a server from telling the UIDs of what it took.
///
/// APPENDUID and COPYUID are cut out of its replies, as if it had no UIDPLUS. Clear text only.
package final class SilentProxy: Sendable {
  /// Where it listens.
  package let port: UInt16

  private let isStopped = StopSign()

  /// Starts a proxy to a port of 127.0.0.1; it takes no more connections when the value goes.
  ///
  /// - Throws: `HarnessError` when it cannot listen.
  package init(to target: UInt16) throws {
    let listener: Int32
    (listener, port) = try Loopback.listen()
    let isStopped = isStopped
    _ = Background {
      while !isStopped.value {
        guard let client = Loopback.accept(listener, seconds: 0.1) else { continue }
        guard let server = try? Loopback.connect(port: target) else {
          Loopback.reset(client)
          continue
        }
        _ = Background { SilentProxy.carry(client, server) }
      }
      close(listener)
    }
  }

  deinit { isStopped.raise() }

  private static func carry(_ client: Int32, _ server: Int32) {
    let up = Background {
      while let octets = Loopback.receive(client, seconds: 120), !octets.isEmpty,
        Loopback.send(octets, to: server)
      {}
      shutdown(server, Int32(SHUT_WR))
    }
    var held: [UInt8] = []
    while let octets = Loopback.receive(server, seconds: 120), !octets.isEmpty {
      held += octets
      guard let end = held.lastIndex(of: 10) else { continue }
      let whole = held[...end].split(separator: 10, omittingEmptySubsequences: false).dropLast()
      guard Loopback.send(whole.flatMap { silenced($0) + [10] }, to: client) else { break }
      held.removeSubrange(...end)
    }
    shutdown(client, Int32(SHUT_RDWR))
    up.join()
    close(client)
    close(server)
  }

  /// A line without the code, if it is a status response with one.
  private static func silenced(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let words = line.prefix(40).split(separator: 32)
    guard words.count > 2, words[1].elementsEqual("OK".utf8),
      words[2].elementsEqual("[APPENDUID".utf8) || words[2].elementsEqual("[COPYUID".utf8),
      let end = line.firstIndex(of: UInt8(ascii: "]"))
    else { return Array(line) }
    return words[0] + Array(" OK".utf8) + line[(end + 1)...]
  }
}
