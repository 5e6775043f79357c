import Octets
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/printable.txt"))
func printable(_ fixture: Fixture) throws {
  let limit = fixture["limit"].flatMap { Int($0) } ?? 1000
  #expect(Printable.text(try fixture.octets(), limit: limit) == fixture["shown"])
}

@Test func noOctetSteersATerminal() {
  for octet in UInt8.min...UInt8.max {
    let shown = Printable.text([octet]).utf8
    #expect(shown.allSatisfy { (0x20...0x7E).contains($0) }, "\(octet)")
  }
}
