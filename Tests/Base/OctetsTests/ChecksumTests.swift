import Octets
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/crc32c.txt"))
func checksum(_ fixture: Fixture) throws {
  let octets = try fixture.octets()
  let expected = try #require(UInt32(try fixture.text("checksum"), radix: 16))
  #expect(CRC32C.of(octets) == expected)
  #expect(CRC32C.of(AnyCollection(octets)) == expected)
}

@Test func checksumOfPiecesIsThatOfTheWhole() {
  let octets = (0..<100).map { UInt8($0 * 7 % 251) }
  for cut in 0...octets.count {
    var checksum = CRC32C()
    checksum.update(octets[..<cut])
    checksum.update(octets[cut...])
    #expect(checksum.value == CRC32C.of(octets))
  }
}

/// The eight-octet steps agree with the definition, one bit at a time.
@Test(arguments: 0..<64)
func checksumAgreesWithItsDefinition(_ length: Int) {
  let octets = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
  var register = UInt32.max
  for octet in octets {
    register ^= UInt32(octet)
    for _ in 0..<8 { register = register >> 1 ^ (register & 1 == 0 ? 0 : 0x82F6_3B78) }
  }
  #expect(CRC32C.of(octets) == ~register)
}

/// Indexes keep these: they must be the same for ever.
@Test(arguments: [
  ("", 0xEFD01F60BA992926 as UInt64),
  ("a", 0x82A2A958A9BECE5B as UInt64),
  ("one@example.org", 0x3A2D6BDD28E526D4 as UInt64),
])
func hashesStayAsTheyAre(_ text: String, _ value: UInt64) {
  #expect(Hash64.of(text.utf8) == value)
  #expect(Hash64.of(AnySequence(Array(text.utf8))) == value)
}

@Test func hashOfPiecesIsThatOfTheWhole() {
  let octets = (0..<100).map { UInt8($0 * 7 % 251) }
  var pieces = Hash64()
  pieces.update(octets[..<33])
  pieces.update(octets[33...])
  #expect(pieces.value == Hash64.of(octets))
  var number = Hash64()
  number.update(0x0807_0605_0403_0201)
  #expect(number.value == Hash64.of([1, 2, 3, 4, 5, 6, 7, 8] as [UInt8]))
}
