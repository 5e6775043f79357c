import Octets
import TestSupport
import Testing

/// Cases of a reversible encoding: what `encode` and `decode` make of the parts of a fixture.
private func check(
  _ fixture: Fixture,
  encode: ([UInt8]) -> [UInt8]?,
  decode: ([UInt8]) -> [UInt8]?
) throws {
  if fixture.has("encoded") {
    let (plain, encoded) = (try fixture.octets(), try fixture.octets("encoded"))
    #expect(encode(plain) == encoded)
    #expect(decode(encoded) == plain)
  }
  for line in fixture.lines("accepted") {
    #expect(decode(try Fixtures.unescape(line)) == (try fixture.octets()), "\(line)")
  }
  for line in fixture.lines("malformed") {
    #expect(decode(try Fixtures.unescape(line)) == nil, "\(line)")
  }
}

@Test(arguments: try Fixtures.load("Fixtures/base64.txt"))
func base64(_ fixture: Fixture) throws {
  try check(fixture, encode: { Base64.encode($0) }, decode: { Base64.decode($0) })
}

@Test(arguments: try Fixtures.load("Fixtures/hex.txt"))
func hex(_ fixture: Fixture) throws {
  try check(fixture, encode: { Hex.encode($0) }, decode: { Hex.decode($0) })
}

@Test(arguments: try Fixtures.load("Fixtures/modified-utf7.txt"))
func modifiedUTF7(_ fixture: Fixture) throws {
  try check(fixture, encode: { ModifiedUTF7.encode($0) }, decode: { ModifiedUTF7.decode($0) })
}

@Test(arguments: try Fixtures.load("Fixtures/percent.txt"))
func percentEscape(_ fixture: Fixture) throws {
  try check(
    fixture,
    encode: { PercentEscape.escape($0) { $0 == ASCII.slash || ASCII.isControl($0) } },
    decode: { PercentEscape.unescape($0) }
  )
}

@Test(arguments: 0..<200)
func randomOctetsComeBack(_ length: Int) {
  var generator = SeededGenerator(seed: UInt64(length))
  let octets = generator.octets(length)
  #expect(Base64.decode(Base64.encode(octets)) == octets)
  #expect(Hex.decode(Hex.encode(octets)) == octets)
  #expect(PercentEscape.unescape(PercentEscape.escape(octets) { $0 % 2 == 0 }) == octets)
}

/// What decodes is the only form of its text: no two names of the wire become one.
@Test(arguments: 0..<200)
func modifiedUTF7HasOneFormForEachName(_ seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let letters = [UInt8]("&&--AaBbGPw,+/ZeV".utf8)
  for _ in 0..<100 {
    let length = Int.random(in: 0...12, using: &generator)
    let name = (0..<length).map { _ in letters[Int.random(in: 0..<17, using: &generator)] }
    guard let decoded = ModifiedUTF7.decode(name) else { continue }
    #expect(ModifiedUTF7.encode(decoded) == name)
  }
}

@Test func textThatIsNotUTF8HasNoModifiedUTF7() {
  #expect(ModifiedUTF7.encode([0x61, 0xFF]) == nil)
}

@Test(
  arguments: [
    (0, "0000000000000000"), (255, "00000000000000ff"), (.max, "ffffffffffffffff"),
    (0x0123_4567_89AB_CDEF, "0123456789abcdef"),
  ] as [(UInt64, String)]
)
func hexNumbers(_ number: UInt64, _ digits: String) {
  #expect(Hex.digits(number) == [UInt8](digits.utf8))
  #expect(Hex.value([UInt8](digits.utf8)) == number)
}

@Test(arguments: ["", "g", "00000000000000000", "-1", "0x1"])
func noHexNumbers(_ text: String) {
  #expect(Hex.value([UInt8](text.utf8)) == nil)
}
