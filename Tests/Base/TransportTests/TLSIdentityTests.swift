import Octets
import Platform
import TestSupport
import Testing

@testable import Transport

/// Client certificates: what servers say to them, and what files are none.
@Suite struct TLSIdentityTests {
  private static func octets(_ name: String) throws -> [UInt8] {
    Array(try #require(Files.text(try Certificates.path(name))).utf8)
  }

  private static func identity(_ name: String) throws -> TLSIdentity {
    try TLSIdentity(
      certificates: octets("\(name).pem") + octets("ca.pem"),
      key: octets("key.pem"),
      passphrase: nil
    )
  }

  /// The certificate that is shown, how the server speaks, and what comes of it; with TLS 1.3 a refusal comes when the handshake
  /// is over here.
  @Test(
    arguments: [
      ("good", "-tls1_3", "cba"), ("good", "-tls1_2", "cba"),
      ("self", "-tls1_3", "client certificate: unknownIssuer"),
      ("self", "-tls1_2", "client certificate: unknownIssuer"),
      ("expired", "-tls1_3", "client certificate: expired"),
      ("expired", "-tls1_2", "client certificate: expired"),
      (nil, "-tls1_3", "client certificate: required"),
      (nil, "-tls1_2", "handshake: sslv3 alert handshake failure"),
    ] as [(String?, String, String)]
  )
  func serversJudge(_ name: String?, _ version: String, _ result: String) throws {
    let trust = try Certificates.path("ca.pem")
    let asking = ["-Verify", "2", "-verify_return_error", "-CAfile", trust]
    let peer = try TLSPeer("good", ["-rev", version] + asking)
    let stream = try ByteStream.loopback(peer.port)
    let policy = TLSPolicy(
      host: "localhost",
      trustFile: Path(trust),
      identity: try name.map { try Self.identity($0) }
    )
    var found = ""
    do throws(TransportError) {
      try stream.startTLS(policy, deadline: .after(seconds: Peer.timeout))
      let octets = try stream.converse(sending: Array("abc\n".utf8), receiving: 4)
      found = String(decoding: octets.dropLast(), as: UTF8.self)
    } catch {
      found = Facts.text(error)
    }
    #expect(found == result)
    #expect(stream.isEncrypted == (version == "-tls1_3" || result == "cba"))
  }

  /// Files that are made of the good certificate and its key by a script, and why they are none.
  @Test(
    arguments: [
      ("cp good.pem c; cp key.pem k", nil, nil),
      ("cat key.pem good.pem > c; cp c k", nil, nil),
      ("cp good.pem c; openssl pkey -in key.pem -aes256 -passout pass:word -out k", "word", nil),
      ("cp good.pem c; openssl ec -in key.pem -aes256 -passout pass:word -out k", "word", nil),
      (
        "cp good.pem c; openssl pkey -in key.pem -aes256 -passout pass:word -out k", "other",
        .wrongPassphrase
      ),
      (
        "cp good.pem c; openssl pkey -in key.pem -aes256 -passout pass:word -out k", nil,
        .noPassphrase
      ),
      (
        "cp good.pem c; openssl ec -in key.pem -aes256 -passout pass:word -out k", nil,
        .noPassphrase
      ),
      (
        "cp good.pem c; openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out k", nil,
        .otherKey
      ),
      ("cp good.pem c; cp good.pem k", nil, .noKey), ("cp good.pem c; : > k", nil, .noKey),
      ("cp key.pem c; cp key.pem k", nil, .noCertificate),
      (": > c; cp key.pem k", nil, .noCertificate),
      ("echo garbage > c; cp key.pem k", nil, .noCertificate),
    ] as [(String, String?, TLSIdentity.Problem?)]
  )
  func filesAreRead(_ script: String, _ word: String?, _ problem: TLSIdentity.Problem?) throws {
    let place = try TempDirectory("identity")
    let folder = try Certificates.path(".")
    try Command.shell(
      "cp \"$2\"/*.pem \"$1\"; cd \"$1\"; { \(script); } 2> log",
      [place.path, folder]
    )
    func make() throws(TLSIdentity.Problem) -> PeerCertificate {
      try TLSIdentity(
        certificates: Array((Files.text(place["c"]) ?? "").utf8),
        key: Array((Files.text(place["k"]) ?? "").utf8),
        passphrase: word.map { Array($0.utf8) }
      ).facts
    }
    guard let problem else {
      #expect(try make().subject == "CN = localhost")
      return
    }
    #expect(throws: problem) { try make() }
  }

  @Test func anEndIsRead() throws {
    let facts = try #require(TLSIdentity.facts(of: try Self.octets("good.pem")))
    #expect(facts == (try Self.identity("good").facts))
    let until = try #require(facts.validUntil)
    #expect((Clock.now()...Clock.now() + 90_001).contains(until))
    #expect(TLSIdentity.facts(of: Array("none".utf8)) == nil)
  }
}
