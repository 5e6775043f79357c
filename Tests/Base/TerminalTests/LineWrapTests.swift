import Terminal
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/line-wrap.txt"))
func linesAreBrokenBetweenWords(_ fixture: Fixture) throws {
  let line = Array(try #require(fixture["line"]).utf8)
  let prefix = Array((fixture["prefix"] ?? "").utf8)
  let lines = LineWrap.lines(line[...], width: 20, prefix: prefix)
  #expect(lines.map { String(decoding: $0, as: UTF8.self) } == fixture.lines("lines"))
}

/// No word is lost, doubled or broken, and a line is too wide only where it is one word.
@Test func wordsAreTheSameAtAnyWidth() {
  var random = SeededGenerator(seed: 5)
  for _ in 1...500 {
    let words = (0..<Int.random(in: 1...40, using: &random)).map { _ in
      String(repeating: "ü", count: Int.random(in: 1...30, using: &random))
    }
    let width = Int.random(in: 1...60, using: &random)
    let line = Array(words.joined(separator: " ").utf8)
    let lines = LineWrap.lines(line[...], width: width).map { String(decoding: $0, as: UTF8.self) }
    #expect(lines.flatMap { $0.split(separator: " ").map { "\($0)" } } == words)
    for line in lines { #expect(line.count <= width || !line.contains(" "), "\(width): \(line)") }
  }
}
