import Octets
import Testing
import Hashing

@Suite("hashes")
struct HashesTests {
  @Test("SHA-256 of FIPS 180-4")
  func sha256() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(digits(Hashes.sha256([])) == empty)
    #expect(digits(Hashes.sha256(Array("abc".utf8))) == abc)
  }

  @Test("SHA-256 in pieces", arguments: [1, 63, 64, 65, 1000])
  func pieces(_ size: Int) {
    let octets = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    var hash = SHA256()
    for start in stride(from: 0, to: octets.count, by: size) {
      hash.update(octets[start..<min(start + size, octets.count)])
    }
    #expect(hash.finish() == Hashes.sha256(octets))
  }

  @Test("HMAC-SHA-256 of RFC 4231 §4.3 and with a key longer than a block (§4.7)")
  func hmac() {
    let short = Hashes.hmacSHA256(
      key: Array("Jefe".utf8),
      message: Array("what do ya want for nothing?".utf8)
    )
    #expect(digits(short) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let long = Hashes.hmacSHA256(
      key: [UInt8](repeating: 0xAA, count: 131),
      message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    )
    #expect(digits(long) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    #expect(Hashes.hmacSHA256(key: [], message: []).count == 32)
  }

  @Test("PBKDF2 of RFC 7914 §11")
  func pbkdf2() {
    let once = Hashes.pbkdf2SHA256(
      password: Array("passwd".utf8),
      salt: Array("salt".utf8),
      iterations: 1
    )
    #expect(digits(once) == "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc")
    #expect(Hashes.pbkdf2SHA256(password: [], salt: [1], iterations: 2).count == 32)
  }

  @Test("random octets differ")
  func random() {
    #expect(Hashes.random(0).isEmpty)
    #expect(Hashes.random(32).count == 32)
    #expect(Hashes.random(32) != Hashes.random(32))
  }

  private func digits(_ octets: [UInt8]) -> String {
    String(decoding: Hex.encode(octets), as: UTF8.self)
  }
}
