import Octets
import TestSupport
import Testing

@testable import Sendmail

/// Quoted-printable text that is made fit to be sent, piece by piece.
@Suite struct QuotedTextTests {
  private static let pieces: [[UInt8]] = [
    [UInt8](ascii: "=3D"), [UInt8](ascii: "=\n"), [UInt8](ascii: "="), [13], [0], [10],
    [UInt8](repeating: UInt8(ascii: "x"), count: 499),
  ]

  @Test func piecesBecomeWhatTheWholeBecomes() {
    for seed in 0..<UInt64(40) {
      var generator = SeededGenerator(seed: seed)
      let octets = (0..<60).flatMap { _ in Self.pieces.randomElement(using: &generator) ?? [] }
      let whole = QuotedTextFitter().converted(octets)
      #expect(whole.split(separator: 10).allSatisfy { $0.count <= 998 && !$0.contains(0) })
      var (converter, rest, result) = (QuotedTextFitter(), octets[...], [UInt8]())
      while !rest.isEmpty {
        let piece = rest.prefix(1 + rest.count % 5)
        rest = rest.dropFirst(piece.count)
        result += converter.convert(piece, isEnd: rest.isEmpty)
      }
      #expect(result == whole)
    }
  }
}
