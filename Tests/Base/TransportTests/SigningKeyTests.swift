import Octets
import TestSupport
import Testing

@testable import Transport

/// Keys that sign: which are taken, and that openssl(1) agrees with what they sign.
@Suite struct SigningKeyTests {
  private let place: TempDirectory

  init() throws { place = try TempDirectory("signing") }

  private func octets(_ script: String) throws -> [UInt8] {
    try Command.shell("exec 2>&1; cd \"$1\"; \(script)", [place.path])
    return Array(try #require(Files.text(place["k"])).utf8)
  }

  /// How a key is made, and what it is.
  @Test(arguments: [
    ("openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out k", "rsa"),
    ("openssl genrsa -traditional -out k 2048", "rsa"),
    ("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out k", "p256"),
    ("openssl ecparam -name prime256v1 -genkey -out k", "p256"),
    ("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1 -out k", "otherKind"),
    ("openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out k", "otherKind"),
    ("openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out k", "otherKind"),
    ("openssl genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -out k", "otherKind"),
    ("openssl genpkey -algorithm ED25519 -out k", "otherKind"),
    (
      "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:w -out k",
      "unreadable(Transport.TLSIdentity.Problem.noPassphrase)"
    ),
    ("echo none > k", "unreadable(Transport.TLSIdentity.Problem.noKey)"),
    (": > k", "unreadable(Transport.TLSIdentity.Problem.noKey)"),
  ])
  func kinds(script: String, kind: String) throws {
    let key = try octets(script)
    var found: String
    do throws(SigningKey.Problem) {
      found = "\(try SigningKey(key).kind)"
    } catch {
      found = "\(error)"
    }
    #expect(found == kind)
  }

  @Test func opensslVerifiesWhatRSASigns() throws {
    let key = try SigningKey(
      try octets("openssl genrsa -out k 2048; openssl pkey -in k -pubout -out p")
    )
    let text = [UInt8](ascii: "header.claims")
    let signature = try #require(key.signature(of: text))
    try place.write(text, to: "text")
    try place.write(signature, to: "signature")
    try Command.shell(
      "cd \"$1\"; openssl dgst -sha256 -verify p -signature signature text",
      [place.path]
    )
  }

  /// A number that begins with a zero is no shorter: among 600 signatures some have one.
  @Test func theNumbersOfASignatureHaveAFixedLength() throws {
    let key = try SigningKey(try octets("openssl ecparam -name prime256v1 -genkey -out k"))
    var zeros = 0
    for index in 0..<600 {
      let signature = try #require(key.signature(of: Array("\(index)".utf8)))
      try #require(signature.count == 64)
      if signature[0] == 0 || signature[32] == 0 { zeros += 1 }
    }
    print("\(zeros) signatures with a number that begins with a zero")
  }

  @Test func thumbprintsAreThoseOfItsCertificate() throws {
    let key = try SigningKey(
      try octets(
        """
        openssl genrsa -out k 2048; openssl req -x509 -key k -days 2 -subj /CN=a -out c
        openssl genrsa -out k2 2048; openssl req -x509 -key k2 -days 2 -subj /CN=b -out c2
        for n in 1 256; do
          openssl x509 -in c -outform DER | openssl dgst -sha$n -r | cut -d ' ' -f 1 | tr -d '\\n' > sha$n
        done
        """
      )
    )
    let text = { (name: String) in Array((Files.text(place[name]) ?? "").utf8) }
    let prints = try key.thumbprints(ofCertificate: text("c"))
    #expect(Hex.encode(prints.sha1) == text("sha1") && Hex.encode(prints.sha256) == text("sha256"))
    #expect(throws: TLSIdentity.Problem.otherKey) { try key.thumbprints(ofCertificate: text("c2")) }
    #expect(throws: TLSIdentity.Problem.noCertificate) {
      try key.thumbprints(ofCertificate: text("k"))
    }
  }
}
