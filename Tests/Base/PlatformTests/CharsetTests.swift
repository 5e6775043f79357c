import Platform
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/charsets.txt"))
func charsets(_ fixture: Fixture) throws {
  for line in fixture.lines() {
    let parts = line.split(separator: "|", omittingEmptySubsequences: false)
    let words = parts.map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    let octets = try Fixtures.unescape(words[1])
    let text = CharsetConversion.utf8(words[0], octets[...])
    #expect(text.map { String(decoding: $0, as: UTF8.self) } ?? "none" == words[2], "\(words[0])")
  }
}

@Test func longTextsAreConvertedWhole() throws {
  let octets = [UInt8](repeating: 0xF0, count: 100_000)
  let text = try #require(CharsetConversion.utf8("KOI8-R", octets[...]))
  #expect(text.count == 200_000 && text.suffix(2) == [0xD0, 0x9F])
}
