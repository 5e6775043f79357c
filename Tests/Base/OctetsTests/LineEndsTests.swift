import Octets
import TestSupport
import Testing

@Suite struct LineEndsTests {
  @Test(arguments: try Fixtures.load("Fixtures/line-ends.txt"))
  func everySplitGivesTheSame(_ fixture: Fixture) throws {
    let wire = fixture.body.isEmpty ? [] : try fixture.octets()
    let converted = try fixture.octets("converted")
    let isReversible = try fixture.text("reversible") == "yes"
    for runs in splits(of: wire) {
      var lineEnds = LineEnds()
      var result: [UInt8] = []
      for run in runs { result += lineEnds.convert(run) }
      result += lineEnds.finish()
      #expect(result == converted)
      #expect(lineEnds.isReversible == isReversible)
      #expect(lineEnds.wireSize == wire.count)
      #expect(lineEnds.containsNUL == fixture.has("nul"))
    }
    if isReversible { #expect(LineEnds.restored(converted[...]) == wire) }
  }

  /// Against a converter of three lines, over every text of up to eight octets from CR, LF and a letter.
  @Test func allShortTexts() {
    for length in 0...8 {
      var text = [UInt8](repeating: 0, count: length)
      for number in 0..<power(3, length) {
        var rest = number
        for position in 0..<length {
          text[position] = [13, 10, 97][rest % 3]
          rest /= 3
        }
        check(text)
      }
    }
  }

  private func check(_ wire: [UInt8]) {
    let expected = naive(wire)
    let isReversible = LineEnds.restored(expected[...]) == wire && !hasTwoReturns(wire)
    for runs in [[wire[...]], wire.indices.map { wire[$0...$0] }] {
      var lineEnds = LineEnds()
      let result = runs.flatMap { lineEnds.convert($0) } + lineEnds.finish()
      #expect(result == expected, "\(wire)")
      #expect(lineEnds.isReversible == isReversible, "\(wire)")
    }
  }

  private func naive(_ wire: [UInt8]) -> [UInt8] {
    wire.indices.filter { wire[$0] != 13 || $0 + 1 == wire.count || wire[$0 + 1] != 10 }
      .map { wire[$0] }
  }

  private func hasTwoReturns(_ wire: [UInt8]) -> Bool {
    wire.indices.contains { wire[$0...].starts(with: [13, 13, 10]) }
  }

  private func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }

  /// Whole, an octet at a time, and cut in two at every place.
  private func splits(of octets: [UInt8]) -> [[ArraySlice<UInt8>]] {
    [[octets[...]], octets.indices.map { octets[$0...$0] }]
      + octets.indices.map { [octets[..<$0], octets[$0...]] }
  }
}
