import Glibc
import Platform
import TestSupport
import Testing

@testable import Transport

@Suite("TLS")
struct TLSTests {
  @Test("handshakes", arguments: try Fixtures.load("Fixtures/tls.txt"))
  func handshake(_ fixture: Fixture) throws {
    let words = try fixture.text("server").split(separator: " ").map { "\($0)" }
    let peer = try TLSPeer(words[0], ["-rev"] + words.dropFirst())
    let stream = try ByteStream.loopback(peer.port)
    let result = try outcome(stream, policy(fixture))
    let expected = try fixture.text("result")
    #expect(expected == "fingerprint" ? result.hasPrefix(expected) : result == expected)
    #expect(stream.isEncrypted == expected.hasPrefix("TLS"))
    guard stream.isEncrypted else { return }
    #expect(try stream.converse(sending: Array("abc\n".utf8), receiving: 4) == Array("cba\n".utf8))
  }

  private func policy(_ fixture: Fixture) throws -> TLSPolicy {
    let words = try fixture.text("policy").split(separator: " ").map { "\($0)" }
    return TLSPolicy(
      host: words[0],
      trustFile: words[1] == "-" ? nil : Path(try Certificates.path(words[1])),
      fingerprint: words[2] == "-" ? nil : try Certificates.fingerprint(words[2])
    )
  }

  private func outcome(_ stream: ByteStream, _ policy: TLSPolicy) -> String {
    do throws(TransportError) {
      try stream.startTLS(policy, deadline: .after(seconds: Peer.timeout))
      return stream.tls?.version ?? "none"
    } catch {
      return Facts.text(error)
    }
  }

  @Test("TLS 1.1 is refused by us, even where the system's settings allow it")
  func oldVersion() async {
    await #expect(processExitsWith: .success) {
      let directory = try TempDirectory("settings")
      let settings = try directory.write(
        """
        openssl_conf = all
        [all]
        ssl_conf = ssl
        [ssl]
        system_default = lax
        [lax]
        MinProtocol = TLSv1
        CipherString = DEFAULT@SECLEVEL=0
        """,
        to: "openssl.cnf"
      )
      let peer = try TLSPeer("good", ["-rev", "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
      setenv("OPENSSL_CONF", settings, 1)
      let policy = try TLSPolicy(host: "localhost", trustFile: Path(Certificates.path("ca.pem")))
      let stream = try ByteStream.loopback(peer.port)
      try #require(throws: TransportError.tls(.version)) {
        try stream.startTLS(policy, deadline: .after(seconds: Peer.timeout))
      }
      withExtendedLifetime(directory) {}
    }
  }

  @Test("what the certificate says")
  func certificate() throws {
    let peer = try TLSPeer()
    let stream = try ByteStream.secured(peer.port)
    let certificate = try #require(stream.certificate)
    #expect(certificate.subject == "CN = localhost")
    #expect(certificate.issuer == "CN = Magnum test authority")
    #expect(certificate.names == ["localhost", "127.0.0.1", "::1"])
    #expect(certificate.fingerprint == (try Certificates.fingerprint("good")))
    let until = try #require(certificate.validUntil)
    #expect((Clock.now()...Clock.now() + 90_001).contains(until))
    #expect(stream.tls?.version == "TLSv1.3")
  }

  @Test("the error holds the fingerprint, for a hint")
  func fingerprintInError() throws {
    let peer = try TLSPeer("self")
    let stream = try ByteStream.loopback(peer.port)
    let error = #expect(throws: TransportError.self) {
      try stream.startTLS(TLSPolicy(host: "localhost"), deadline: .after(seconds: Peer.timeout))
    }
    guard case .tls(.certificate(_, _, let presented)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(presented.fingerprint == (try Certificates.fingerprint("self")))
  }

  @Test("the server learns that its certificate was turned down")
  func alert() throws {
    let peer = try TLSPeer("self", ["-state"])
    let stream = try ByteStream.loopback(peer.port)
    _ = outcome(stream, TLSPolicy(host: "localhost"))
    #expect(
      Stopwatch.wait(upTo: Peer.timeout) { peer.log.contains("alert read:fatal:unknown CA") }
    )
  }

  @Test("the name is sent to the server (SNI), an address is not")
  func serverName() throws {
    let pair = ["-servername", "other.name", "-cert2", "other.pem", "-key2", "key.pem"]
    let peer = try TLSPeer("good", ["-rev"] + pair)
    for (host, subject) in [("other.name", "CN = mail.example.org"), ("::1", "CN = localhost")] {
      let stream = try ByteStream.loopback(peer.port)
      let pin = try Certificates.fingerprint(host == "::1" ? "good" : "other")
      #expect(outcome(stream, TLSPolicy(host: host, fingerprint: pin)) == "TLSv1.3")
      #expect(stream.certificate?.subject == subject)
    }
  }

  /// What a server that does not speak TLS says, and the error.
  private static let strangers = [
    ("* OK ready\r\n", "not TLS"),
    ("220 mail.example.org ESMTP\r\n", "not TLS"),
    ("HTTP/1.1 400 Bad Request\r\n\r\n", "not TLS"),
    ("", "closed in the handshake"),
  ]

  @Test("servers that do not speak TLS", arguments: strangers)
  func stranger(_ greeting: String, _ error: String) throws {
    let peer = try Peer.saying(greeting)
    let stream = try ByteStream.loopback(peer.port)
    #expect(outcome(stream, TLSPolicy(host: "localhost")) == error)
  }

  @Test("a server that is silent in the handshake")
  func silence() throws {
    let peer = try Peer.silent()
    let stream = try ByteStream.loopback(peer.port)
    let start = Stopwatch.now()
    #expect(throws: TransportError.timedOut(.handshake)) {
      try stream.startTLS(TLSPolicy(host: "localhost"), deadline: .after(seconds: 0.3))
    }
    #expect((0.29..<5).contains(Stopwatch.now() - start))
  }

  @Test("an interruption in the handshake")
  func interruption() throws {
    let peer = try Peer.silent()
    let interruption = Interruption()
    let stream = try ByteStream.loopback(peer.port, interruption: interruption)
    _ = Background {
      Stopwatch.sleep(0.2)
      interruption.request()
    }
    #expect(throws: TransportError.interrupted) {
      try stream.startTLS(TLSPolicy(host: "localhost"), deadline: .never)
    }
  }
}
