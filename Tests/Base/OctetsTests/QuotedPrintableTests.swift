import Octets
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/quoted-printable.txt"))
func quotedPrintable(_ fixture: Fixture) throws {
  let decoded = QuotedPrintable.decode(try fixture.octets()[...])
  #expect(Printable.text(decoded) == (try fixture.text("decoded")))
}

@Test func quotedPrintableOfRubbishNeverGrows() {
  var random = SeededGenerator(seed: 1)
  let pieces = [UInt8](ascii: "=0aF \t\r\nz") + [0, 255]
  for count in 0..<2000 {
    let text = (0..<count % 23).map { _ in pieces.randomElement(using: &random) ?? 0 }
    #expect(QuotedPrintable.decode(text[...]).count <= text.count)
  }
}
