import IMAP
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/uidsets.txt"))
func uidSet(_ fixture: Fixture) throws {
  let set = try CommandText.set(fixture.body)
  #expect(CommandText.text(set.wire) == fixture["wire"])
  #expect("\(set.count)" == fixture["count"])
  for uid in try uids(fixture, "holds") { #expect(set.contains(uid), "\(uid)") }
  for uid in try uids(fixture, "lacks") { #expect(!set.contains(uid), "\(uid)") }
  let pieces = set.pieces(ofAtMost: 3, octets: 22).map { "\($0)" }
  #expect(pieces.joined(separator: " ") == fixture["pieces"])
}

private func uids(_ fixture: Fixture, _ part: String) throws -> [UInt32] {
  try fixture.text(part).split(separator: " ").compactMap { UInt32($0) }
}

@Test func noUIDs() {
  let set = UIDSet()
  #expect(set.isEmpty)
  #expect(set.wire.isEmpty)
  #expect(set.pieces(ofAtMost: 1).isEmpty)
  #expect(UIDSet([]) == set)
  #expect(UIDSet([0...0]) == set)
  #expect(UIDSet(sortedUIDs: []) == set)
}

/// All UIDs there can be cost no more than one.
@Test func allUIDs() {
  let set = UIDSet([1...UInt32.max])
  #expect(set.count == 4_294_967_295)
  #expect(set.contains(.max))
  #expect(set.ranges.count == 1)
  #expect(set.union(UIDSet([5...9])) == set)
}

@Test(
  arguments: [
    ([1, 2, 3, 5, 5, 6], "1:3,5:6"), ([0, 1], "1"), ([.max - 1, .max], "4294967294:4294967295"),
    ([9, 1, 2], "1:2,9"),
  ] as [([UInt32], String)]
)
func setOfSingleUIDs(_ uids: [UInt32], _ wire: String) {
  #expect("\(UIDSet(sortedUIDs: uids))" == wire)
}

/// Pieces keep to their bounds and make up the whole.
@Test(arguments: 0..<50)
func piecesMakeUpTheWhole(_ seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let ranges = (0..<50).map { _ in
    let first = UInt32.random(in: 1...100_000, using: &generator)
    return first...first + UInt32.random(in: 0...30, using: &generator)
  }
  let set = UIDSet(ranges)
  let pieces = set.pieces(ofAtMost: 40, octets: 60)
  #expect(pieces.allSatisfy { $0.count <= 40 && $0.wire.count <= 60 })
  #expect(UIDSet(pieces.flatMap(\.ranges)) == set)
  #expect(pieces.reduce(0) { $0 + $1.count } == set.count)
}

@Test(
  arguments: [
    ("1:9", "3:4,7", "1:2,5:6,8:9"), ("1:9", "1:9", ""), ("1:3,5,7:9", "2:8", "1,9"),
    ("5:9", "1:4,10", "5:9"), ("5:9", "1:5", "6:9"), ("5:9", "9:12", "5:8"), ("5:9", "", "5:9"),
    ("", "5", ""), ("1:4294967295", "1:4294967294", "4294967295"), ("1:2,4:5,7:8", "2:7", "1,8"),
    ("1:4294967295", "2:4294967295", "1"),
  ]
)
func setsSubtract(_ set: String, _ other: String, _ rest: String) throws {
  let difference = try CommandText.set(set).subtracting(try CommandText.set(other))
  #expect("\(difference)" == rest)
}

@Test(arguments: 0..<50)
func setsSubtractAsTheirUIDsDo(_ seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let sets = (0..<2).map { _ in
    (1...60).filter { _ in UInt32.random(in: 0...2, using: &generator) > 0 } as [UInt32]
  }
  let difference = UIDSet(sortedUIDs: sets[0]).subtracting(UIDSet(sortedUIDs: sets[1]))
  #expect(difference == UIDSet(sortedUIDs: sets[0].filter { !sets[1].contains($0) }))
}
