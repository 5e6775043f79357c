import Terminal
import TestSupport
import Testing

/// Numbers for people.
@Suite struct FormatTests {
  @Test(arguments: try Fixtures.load("Fixtures/formats.txt"))
  func format(_ fixture: Fixture) throws {
    for line in fixture.lines() {
      let parts = line.split(separator: " -> ")
      try #require(parts.count == 2)
      #expect(try Self.text(fixture.name, String(parts[0])) == parts[1], "\(line)")
    }
  }

  private static func text(_ kind: String, _ number: String) throws -> String {
    switch kind {
    case "bytes": HumanFormat.bytes(try #require(UInt64(number)))
    case "rate": HumanFormat.rate(try #require(Double(number)))
    case "seconds": HumanFormat.seconds(try #require(Double(number)))
    default: HumanFormat.count(try #require(Int(number)))
    }
  }
}
