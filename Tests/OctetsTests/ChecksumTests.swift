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
