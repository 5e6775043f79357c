import TestSupport
import Testing

@testable import Configuration

/// The lines on which keys stand.
@Suite struct LineTests {
  @Test(arguments: try Fixtures.load("Fixtures/lines.txt"))
  func lines(_ fixture: Fixture) throws {
    let octets = Array(fixture.body.utf8)
    let document = try TOMLDocument(octets)
    var found: [String] = []
    Self.collect(document.root, below: [], into: &found)
    #expect(found == fixture.lines("lines"))
  }

  @Test("no text, whole or cut, keeps the reader of lines from its end")
  func everyCut() throws {
    for fixture in try Fixtures.load("Fixtures/lines.txt") {
      let octets = Array(fixture.body.utf8)
      for end in octets.indices {
        _ = TOMLLines(Array(octets[..<end]))
        _ = TOMLLines(Array(octets[end...]))
      }
    }
  }

  @Test func lineEndsOfDOS() throws {
    let lines = TOMLLines(Array("a = 1\r\n[b]\r\nc = 2\r\n".utf8))
    #expect(lines.line(of: ["a"]) == 1)
    #expect(lines.line(of: ["b"]) == 2)
    #expect(lines.line(of: ["b", "c"]) == 3)
    #expect(lines.line(of: ["d"]) == nil)
  }

  private static func collect(
    _ entries: [TOMLEntry],
    below path: [String],
    into found: inout [String]
  ) {
    for entry in entries {
      let own = path + [entry.key]
      found.append("\(entry.line.map(String.init) ?? "-") \(KeyName.text(own))")
      if case .table(let inner) = entry.value { collect(inner, below: own, into: &found) }
    }
  }
}
