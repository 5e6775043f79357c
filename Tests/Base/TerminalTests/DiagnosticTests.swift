import Terminal
import TestSupport
import Testing

/// Messages to the user.
@Suite struct DiagnosticTests {
  @Test(arguments: try Fixtures.load("Fixtures/diagnostics.txt"))
  func lines(_ fixture: Fixture) throws {
    let diagnostic = Diagnostic(
      program: try #require(try Self.part("program", of: fixture)),
      place: try Self.part("place", of: fixture),
      what: try #require(try Self.part("what", of: fixture)),
      hint: try Self.part("hint", of: fixture)
    )
    #expect(try diagnostic.lines() == Self.lines("lines", of: fixture))
    if fixture.has("bold") {
      #expect(try diagnostic.lines(colours: true) == Self.lines("bold", of: fixture))
    }
  }

  private static func part(_ name: String, of fixture: Fixture) throws -> String? {
    guard let line = fixture.lines().first(where: { $0.hasPrefix(name + ": ") }) else { return nil }
    return String(
      decoding: try Fixtures.unescape(String(line.dropFirst(name.count + 2))),
      as: UTF8.self
    )
  }

  private static func lines(_ part: String, of fixture: Fixture) throws -> [String] {
    try fixture.lines(part).map { String(decoding: try Fixtures.unescape($0), as: UTF8.self) }
  }
}
