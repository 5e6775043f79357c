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

  @Test("no text, whole or cut, keeps the reader from its end")
  func everyCut() throws {
    for fixture in try Fixtures.load("Fixtures/lines.txt") {
      let octets = Array(fixture.body.utf8)
      for end in octets.indices {
        _ = try? TOMLDocument(Array(octets[..<end]))
        _ = try? TOMLDocument(Array(octets[end...]))
      }
    }
  }

  @Test func lineEndsOfDOS() throws {
    let document = try TOMLDocument(Array("a = 1\r\n[b]\r\nc = 2\r\n".utf8))
    var found: [String] = []
    Self.collect(document.root, below: [], into: &found)
    #expect(found == ["1 a", "2 b", "3 b.c"])
  }

  @Test("what the library does not expect is a mistake with its line, and does not end the program")
  func unexpected() {
    for (text, line) in [("[# ]", 1), ("a = 1\n\n[=]\nb = 2\n", 3), ("[[\"", 1)] {
      do throws(SyntaxError) {
        _ = try TOMLDocument(Array(text.utf8))
        Issue.record("\(text) is taken for TOML")
      } catch {
        #expect(error.line == line, "\(text)")
      }
    }
  }

  private static func collect(
    _ entries: [TOMLEntry],
    below path: [String],
    into found: inout [String]
  ) {
    for entry in entries {
      let own = path + [entry.key]
      found.append("\(entry.line) \(KeyName.text(own))")
      if case .table(let inner) = entry.value { collect(inner, below: own, into: &found) }
    }
  }
}
