import Octets
import TestSupport
import Testing

/// Octets that are read in pieces are those of the whole.
@Suite struct OctetSourceTests {
  /// Octets with many line ends of both kinds, so that some are cut where pieces end.
  private static func octets(_ count: Int, seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in [13, 10, 13, 97].randomElement(using: &generator) ?? 97 }
  }

  @Test func sourcesThatAreJoinedGiveTheirOctetsInOrder() throws {
    let arrays: [[UInt8]] = [[1, 2, 3], [], [4], [5, 6], []]
    let joined = JoinedOctets(arrays + [JoinedOctets(arrays).part(1..<5)] as [any OctetSource])
    let all: [UInt8] = [1, 2, 3, 4, 5, 6, 2, 3, 4, 5]
    #expect(joined.count == all.count)
    for start in 0...all.count {
      for end in start...all.count {
        #expect(try [UInt8](joined.octets(in: start..<end)) == Array(all[start..<end]))
      }
    }
  }

  @Test(arguments: [0, 1, 2, 65_535, 65_536, 65_537, 200_000])
  func lineEndsAreThoseOfTheWhole(count: Int) throws {
    for seed in 0..<4 {
      let octets = Self.octets(count, seed: UInt64(seed))
      let whole = LineFeeds.only(octets)
      // Not seen to be an array.
      let source = JoinedOctets([
        Array(octets.prefix(count / 2)), Array(octets.dropFirst(count / 2)),
      ])
      let converted = try LineFeeds.only(source)
      #expect(converted.count == whole.count)
      #expect(try converted.whole() == whole)
      for start in stride(from: 0, to: whole.count, by: 9_973) {
        let end = min(whole.count, start + 70_000)
        #expect(try Array(converted.octets(in: start..<end)) == Array(whole[start..<end]))
      }
    }
  }

  @Test func piecesAreAllOfIt() throws {
    let octets = Self.octets(200_000, seed: 1)
    var pieces = JoinedOctets([octets, octets]).pieces
    var read: [UInt8] = []
    while let piece = try pieces.next() {
      #expect(!piece.isEmpty && piece.count <= [UInt8].pieceSize)
      read += piece
    }
    #expect(read == octets + octets)
  }
}
