import Glibc
import Platform
import TestSupport
import Testing
import Transport

/// What the system trusts is told to OpenSSL by the environment, hence processes of their own.
@Suite("what the system trusts")
struct SystemTrustTests {
  @Test("an authority in the system's file, read only once")
  func file() async {
    await #expect(processExitsWith: .success) {
      setenv("SSL_CERT_DIR", "/no/such/directory", 1)
      setenv("SSL_CERT_FILE", try Certificates.path("ca.pem"), 1)
      let peer = try TLSPeer()
      try SystemTrustTests.shakeHands(peer, host: "localhost", nil)
      setenv("SSL_CERT_FILE", "/no/such/file", 1)
      try SystemTrustTests.shakeHands(peer, host: "localhost", nil)
    }
  }

  @Test("an authority in the system's directory")
  func directory() async {
    await #expect(processExitsWith: .success) {
      let directory = try TempDirectory("trust")
      let name = try Command.shell(
        #"openssl x509 -hash -noout -in "$1""#,
        [Certificates.path("ca.pem")]
      )
      symlink(try Certificates.path("ca.pem"), directory["\(name.dropLast()).0"])
      setenv("SSL_CERT_DIR", directory.path, 1)
      setenv("SSL_CERT_FILE", "/no/such/file", 1)
      let peer = try TLSPeer()
      try SystemTrustTests.shakeHands(peer, host: "localhost", nil)
    }
  }

  @Test("the second look at a certificate is as strict as the first")
  func strictness() async {
    await #expect(processExitsWith: .success) {
      setenv("SSL_CERT_DIR", "/no/such/directory", 1)
      setenv("SSL_CERT_FILE", try Certificates.path("ca.pem"), 1)
      let name = "mail.example.org is none of localhost 127.0.0.1 ::1"
      try SystemTrustTests.shakeHands(TLSPeer(), host: "mail.example.org", name)
      let address = "127.0.0.9 is none of localhost 127.0.0.1 ::1"
      try SystemTrustTests.shakeHands(TLSPeer(), host: "127.0.0.9", address)
      let date = "certificate of localhost: certificate has expired: CN = localhost"
      try SystemTrustTests.shakeHands(TLSPeer("expired"), host: "localhost", date)
      let issuer = "certificate of localhost: self-signed certificate: CN = self, O = Small Office"
      try SystemTrustTests.shakeHands(TLSPeer("self"), host: "localhost", issuer)
    }
  }

  /// Agrees on TLS without a trust file; `error` is what shall come of it.
  private static func shakeHands(_ peer: TLSPeer, host: String, _ error: String?) throws {
    let stream = try ByteStream.loopback(peer.port)
    var caught: String?
    do throws(TransportError) {
      try stream.startTLS(TLSPolicy(host: host), deadline: .after(seconds: Peer.timeout))
    } catch {
      caught = Facts.text(error)
    }
    try #require(caught == error)
  }
}
