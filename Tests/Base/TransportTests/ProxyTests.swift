import Glibc
import Platform
import Proxies
import TestSupport
import Testing

@testable import Transport

/// Connections through proxies.
@Suite struct ProxyTests {
  private static func connect(
    through proxy: ProxyAddress,
    to host: String,
    _ port: UInt16,
    login: ProxyLogin? = nil,
    seconds: Double = Peer.timeout
  ) throws(TransportError) -> ByteStream {
    try ByteStream.connect(
      host: host,
      port: port,
      deadline: .after(seconds: seconds),
      proxy: (proxy, login),
      interruption: nil
    )
  }

  /// The name of the server goes to the proxy, and all that the server says comes from the first octet on.
  @Test(arguments: ProxyProtocol.allCases, ["", "me:word"])
  func theProxyGetsTheName(_ kind: ProxyProtocol, _ login: String) throws {
    let proxy = try ForwardProxy(login: login)
    let peer = try Peer { connection in
      Loopback.send("* OK ready\r\n".utf8, to: connection)
      _ = Loopback.receive(connection, seconds: Peer.timeout)
      Loopback.send("* BYE\r\n".utf8, to: connection)
    }
    let stream = try Self.connect(
      through: ProxyAddress(kind, host: "127.0.0.1", port: proxy.port),
      to: "imap.nowhere.test",
      peer.port,
      login: login.isEmpty ? nil : ProxyLogin(user: Array("me".utf8), password: Array("word".utf8))
    )
    #expect(try stream.converse(receiving: 12) == Array("* OK ready\r\n".utf8))
    #expect(try stream.converse(sending: [0x61], receiving: 7) == Array("* BYE\r\n".utf8))
    let name = "imap.nowhere.test"
    #expect(
      proxy.requests
        == [kind == .socks5 ? "socks \(name) \(peer.port)" : "connect \(name):\(peer.port)"]
    )
  }

  /// What a proxy may do besides, and what is said of it.
  @Test(arguments: ProxyProtocol.allCases)
  func refusalsAreTold(_ kind: ProxyProtocol) throws {
    let proxy = try ForwardProxy(login: "me:word")
    let address = ProxyAddress(kind, host: "127.0.0.1", port: proxy.port)
    let good = ProxyLogin(user: Array("me".utf8), password: Array("word".utf8))
    let bad = ProxyLogin(user: Array("me".utf8), password: Array("no".utf8))
    #expect(throws: TransportError.proxy(address, .loginWanted)) {
      try Self.connect(through: address, to: "imap.nowhere.test", 993)
    }
    #expect(throws: TransportError.proxy(address, .loginRefused)) {
      try Self.connect(through: address, to: "imap.nowhere.test", 993, login: bad)
    }
    let closed = try Loopback.freePort()
    #expect(
      throws: TransportError.proxy(
        address,
        kind == .socks5 ? .socks(5) : .http(502, Array("Bad Gateway".utf8))
      )
    ) {
      try Self.connect(through: address, to: "192.0.2.1", closed, login: good)
    }
    try proxy.set("deny")
    #expect(
      throws: TransportError.proxy(
        address,
        kind == .socks5 ? .socks(2) : .http(403, Array("Forbidden".utf8))
      )
    ) {
      try Self.connect(through: address, to: "imap.nowhere.test", 993, login: good)
    }
    try proxy.set("silent")
    let silence = #expect(throws: TransportError.self) {
      try Self.connect(through: address, to: "imap.nowhere.test", 993, login: good, seconds: 0.3)
    }
    #expect(
      silence
        == .proxyUnreachable(.noAnswer(.proxy, host: "127.0.0.1", port: proxy.port, seconds: 0))
    )
  }

  /// Proxies that are none, and that are not there.
  @Test func strangersAreTold() throws {
    for kind in ProxyProtocol.allCases {
      let peer = try Peer.saying("* OK this is no proxy\r\n")
      let address = ProxyAddress(kind, host: "127.0.0.1", port: peer.port)
      let error = #expect(throws: TransportError.self) {
        try Self.connect(through: address, to: "imap.nowhere.test", 993)
      }
      guard case .proxy(address, .malformed)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      let mute = try Peer.saying("")
      let other = ProxyAddress(kind, host: "127.0.0.1", port: mute.port)
      #expect(throws: TransportError.proxy(other, .closed)) {
        try Self.connect(through: other, to: "imap.nowhere.test", 993)
      }
    }
    let port = try Loopback.freePort()
    let none = ProxyAddress(.socks5, host: "127.0.0.1", port: port)
    let error = #expect(throws: TransportError.self) {
      try Self.connect(through: none, to: "imap.nowhere.test", 993)
    }
    guard case .proxyUnreachable(let inner)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(inner.isRefused)
  }

  private static let microsocks: String? = {
    let places = [
      "\(UnpackedPackage.folder("microsocks"))/usr/bin/microsocks", "/usr/bin/microsocks",
    ]
    return places.first { Files.exists($0) }
  }()

  /// A proxy that others wrote, with a login and without.
  @Test(.enabled("microsocks is not installed") { microsocks != nil }, arguments: [true, false])
  func aRealProxyIsSpokenWith(_ hasLogin: Bool) throws {
    let port = try Loopback.freePort()
    let program = try #require(Self.microsocks)
    let words = hasLogin ? ["-u", "me", "-P", "word"] : []
    let server = try Command(program, ["-i", "127.0.0.1", "-p", "\(port)"] + words).start()
    defer { kill(server.identifier, SIGTERM) }
    let isThere = Stopwatch.wait(upTo: Peer.timeout) {
      guard let connection = try? Loopback.connect(port: port) else { return false }
      return close(connection) == 0
    }
    #expect(isThere)
    let address = ProxyAddress(.socks5, host: "127.0.0.1", port: port)
    let login = ProxyLogin(user: Array("me".utf8), password: Array("word".utf8))
    for host in ["localhost", "127.0.0.1"] {
      let peer = try Peer.saying("* OK ready\r\n")
      let stream = try Self.connect(
        through: address,
        to: host,
        peer.port,
        login: hasLogin ? login : nil
      )
      #expect(try stream.converse(receiving: 12) == Array("* OK ready\r\n".utf8))
    }
    let closed = try Loopback.freePort()
    #expect(throws: TransportError.proxy(address, .socks(5))) {
      try Self.connect(through: address, to: "127.0.0.1", closed, login: hasLogin ? login : nil)
    }
    guard hasLogin else { return }
    let wrong = ProxyLogin(user: Array("me".utf8), password: Array("no".utf8))
    #expect(throws: TransportError.proxy(address, .loginRefused)) {
      try Self.connect(through: address, to: "127.0.0.1", closed, login: wrong)
    }
  }
}
