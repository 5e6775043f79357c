import Glibc
import Platform
import TestSupport
import Testing

@testable import Transport

@Suite("connect")
struct ConnectTests {
  @Test("by literal and by name", arguments: ["127.0.0.1", "localhost", "127.1"])
  func connects(_ host: String) throws {
    let peer = try Peer.saying("hello")
    let stream = try connect(host, peer.port)
    #expect(try stream.converse(receiving: 5) == Array("hello".utf8))
    #expect(!stream.isEncrypted)
    #expect(stream.tls == nil && stream.certificate == nil)
  }

  @Test("a port on which nobody listens")
  func refused() throws {
    let port = try Loopback.freePort()
    let error = #expect(throws: TransportError.self) { try connect("127.0.0.1", port) }
    let attempt = SystemError(operation: "connect", path: nil, code: ECONNREFUSED)
    #expect(error == .connect(host: "127.0.0.1", port: port, attempts: [attempt]))
    #expect(error?.isRefused == true && error?.isUnreachable == false)
  }

  @Test("an address to which no way leads")
  func unreachable() throws {
    // 255.255.255.255 is no address of a TCP server: the system refuses at once.
    let error = #expect(throws: TransportError.self) { try connect("255.255.255.255", 993) }
    #expect(error.map(Facts.text) == "connect: Network is unreachable")
    #expect(error?.isRefused == false && error?.isUnreachable == true)
  }

  @Test("all attempts count for what the matter is")
  func summary() {
    #expect(error([ECONNREFUSED, ECONNREFUSED]).isRefused)
    #expect(!error([ECONNREFUSED, ENETUNREACH]).isRefused)
    #expect(error([ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL]).isUnreachable)
    #expect(!error([ENETUNREACH, ETIMEDOUT]).isUnreachable)
    #expect(!error([]).isRefused && !error([]).isUnreachable)
    #expect(!TransportError.closed.isRefused && !TransportError.closed.isUnreachable)
  }

  private func error(_ codes: [Int32]) -> TransportError {
    let attempts = codes.map { SystemError(operation: "connect", path: nil, code: $0) }
    return .connect(host: "mail.example.org", port: 993, attempts: attempts)
  }

  @Test("an address that does not answer")
  func silence() throws {
    let hole = try Blackhole()
    let start = Stopwatch.now()
    #expect(throws: TransportError.timedOut(.connect)) {
      try ByteStream.connect(
        host: "127.0.0.1",
        port: hole.port,
        deadline: .after(seconds: 0.4),
        interruption: nil
      )
    }
    #expect((0.39..<5).contains(Stopwatch.now() - start))
  }

  @Test("an interruption while nobody answers")
  func interruption() throws {
    let hole = try Blackhole()
    let interruption = Interruption()
    _ = Background {
      Stopwatch.sleep(0.2)
      interruption.request()
    }
    #expect(throws: TransportError.interrupted) {
      try ByteStream.connect(
        host: "127.0.0.1",
        port: hole.port,
        deadline: .never,
        interruption: interruption
      )
    }
  }

  @Test("an interruption before the start")
  func interruptedBefore() throws {
    let peer = try Peer.silent()
    let interruption = Interruption()
    interruption.request()
    #expect(throws: TransportError.interrupted) {
      try ByteStream.loopback(peer.port, interruption: interruption)
    }
    // Lets the peer end.
    _ = try ByteStream.loopback(peer.port)
  }

  @Test("the next address is tried after a refusal, and after silence for its share of the time")
  func addresses() throws {
    let peer = try Peer.saying("hello")
    let hole = try Blackhole()
    let ports = [try Loopback.freePort(), hole.port, peer.port]
    let addresses = try ports.flatMap { port in
      try Resolution.ofSystem(host: "127.0.0.1", port: port, flags: AI_NUMERICHOST)
        .addresses(of: "127.0.0.1")
    }
    #expect(addresses.count == 3)
    let start = Stopwatch.now()
    close(try connector(seconds: 1).connect(addresses))
    #expect((0.4..<0.9).contains(Stopwatch.now() - start))
  }

  @Test("an error for each address")
  func attempts() throws {
    let hole = try Blackhole()
    let addresses = try [Loopback.freePort(), hole.port, Loopback.freePort()].flatMap { port in
      try Resolution.ofSystem(host: "127.0.0.1", port: port, flags: AI_NUMERICHOST)
        .addresses(of: "127.0.0.1")
    }
    let error = #expect(throws: TransportError.self) {
      try connector(seconds: 0.5).connect(addresses)
    }
    #expect(
      error.map(Facts.text)
        == "connect: Connection refused, Connection timed out, Connection refused"
    )
  }

  private func connector(seconds: Double) -> SocketConnector {
    SocketConnector(host: "test", port: 1, deadline: .after(seconds: seconds), interruption: nil)
  }

  private func connect(_ host: String, _ port: UInt16) throws(TransportError) -> ByteStream {
    try ByteStream.connect(
      host: host,
      port: port,
      deadline: .after(seconds: Peer.timeout),
      interruption: nil
    )
  }
}
