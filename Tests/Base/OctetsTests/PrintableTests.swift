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

/// Characters that are not shown cost what others do; where each cost the length of the text, this took minutes.
@Test(arguments: ["\0", "\u{1B}", "\u{200B}", "\u{202E}", "é", "a"])
func theTimeGrowsWithTheLength(_ piece: String) {
  let octets = Array(String(repeating: piece, count: 200_000).utf8)
  let time = ProcessorTime.measure {
    #expect(Printable.text(octets, limit: .max).utf8.count >= octets.count)
  }
  #expect(time < .seconds(20))
}
