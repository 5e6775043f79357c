import SASL
import TestSupport
import Testing

@Suite struct SASLprepTests {
  @Test(arguments: try Fixtures.load("Fixtures/prepared.txt"))
  func prepared(_ fixture: Fixture) throws {
    let expected = try fixture.text("prepared")
    let given = SASLprep.prepare(try Fixtures.unescape(fixture.body))
    #expect(given == (expected == "none" ? nil : try Fixtures.unescape(expected)))
  }

  private static let library = Fixtures.project(".build/need/scramp")

  /// The table is what the script makes of Python's tables.
  @Test func theTableIsMadeAgain() throws {
    let made = try Command(Fixtures.project("Tests/tables/saslprep"), []).run()
    let table = Files.text(Fixtures.project("Sources/Protocols/SASL/SASLprepTable.swift"))
    #expect(made.output == table)
  }

  /// Random texts, as a library that others wrote prepares them.
  @Test(.enabled(if: Files.exists("\(library)/scramp")))
  func anotherPreparesAlike() throws {
    let texts = randomTexts()
    let script = """
      import sys; sys.path.insert(0, sys.argv[1])
      from scramp.utils import saslprep
      for line in sys.stdin:
          try: print(saslprep(bytes.fromhex(line).decode()).encode().hex())
          except Exception: print("none")
      """
    var judge = Command("/usr/bin/env", ["python3", "-c", script, Self.library])
    judge.input = Array(texts.map { hex($0) + "\n" }.joined().utf8)
    let judged = try judge.run()
    let words = judged.output.split(separator: "\n")
    try #require(words.count == texts.count, "\(judged.errors)")
    var taken = 0
    for (text, word) in zip(texts, words) {
      let own = SASLprep.prepare(text)
      #expect((own.map(hex) ?? "none") == word, "\(hex(text))")
      if own != nil { taken += 1 }
    }
    #expect(taken > 500)
  }

  /// Letters, marks and syllables of all scripts, a few of each text from one place.
  private func randomTexts() -> [[UInt8]] {
    var random = SeededGenerator(seed: 4013)
    return (0..<4000).map { _ in
      let start = UInt32.random(in: 0x41...0xFFFF, using: &random)
      var text = "a"
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let isMark = Int.random(in: 0..<3, using: &random) == 0
        let mark = UInt32.random(in: 0x300...0x345, using: &random)
        let near = start + UInt32.random(in: 0...12, using: &random)
        if let scalar = Unicode.Scalar(isMark ? mark : near) { text.unicodeScalars.append(scalar) }
      }
      return Array(text.utf8)
    }
  }

  private func hex(_ octets: [UInt8]) -> String {
    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension String {
  /// A path without its last components.
  fileprivate func components(dropping count: Int) -> String {
    split(separator: "/").dropLast(count).map { "/" + $0 }.joined()
  }
}
