import IMAP
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/copied.txt"))
func whatCodesTellOfUIDs(_ fixture: Fixture) throws {
  let status = try reply(fixture)
  for (name, expected) in fixture.parts where !name.isEmpty {
    let words = name.split(separator: " ").map { "\($0)" }
    let text: String?
    switch words[0] {
    case "copied": text = copied(status, asked: expected)
    case "appended": text = appended(status, count: Int(words[1]) ?? 0)
    default:
      let stored = status.stored(of: try CommandText.set(words[1]))
      text = stored.isEmpty ? nil : "\(stored)"
    }
    #expect(text ?? "nil" == expected, "\(name)")
  }
}

private func reply(_ fixture: Fixture) throws -> StatusResponse {
  var session = try greetedSession()
  session.send(.noop)
  let events = try session.receive([UInt8]("M1 \(fixture.body)\r\n".utf8)[...])
  guard case .tagged(_, let status) = events.first else { throw HarnessError("no reply") }
  return status
}

/// The pairs for those UIDs that the expectation names.
private func copied(_ status: StatusResponse, asked: String) -> String? {
  guard let (validity, pairs) = status.code?.copied else { return nil }
  let uids = asked.split(separator: " ").dropFirst().compactMap { UInt32($0.prefix { $0 != ":" }) }
  if pairs.count < 10 { #expect(pairs.source == UIDSet(sortedUIDs: uids)) }
  #expect(pairs.count == pairs.destination.count)
  #expect(pairs[0] == nil)
  return "\(validity)" + uids.map { " \($0):\(pairs[$0] ?? 0)" }.joined()
}

private func appended(_ status: StatusResponse, count: Int) -> String? {
  guard let (validity, uids) = status.code?.appended(count) else { return nil }
  return "\(validity)" + uids.map { " \($0)" }.joined()
}

@Test func noPairs() {
  #expect(UIDPairs(source: [], destination: [])?.count == 0)
  #expect(UIDPairs(source: [], destination: [])?[1] == nil)
  #expect(UIDPairs(source: [0...1], destination: [5...6]) == nil)
  #expect(UIDPairs(source: [1...2], destination: [0...1]) == nil)
}

/// Pairs cut in any way are the same pairs.
@Test(arguments: 0..<50)
func pairsDoNotDependOnRanges(_ seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let count = UInt32.random(in: 1...40, using: &generator)
  let source = cut(100...99 + count, &generator)
  let destination = cut(1000...999 + count, &generator)
  let pairs = UIDPairs(source: source, destination: destination)
  for offset in 0..<count { #expect(pairs?[100 + offset] == 1000 + offset) }
  #expect(pairs?[99] == nil)
  #expect(pairs?[100 + count] == nil)
}

private func cut(
  _ range: ClosedRange<UInt32>,
  _ generator: inout SeededGenerator
) -> [ClosedRange<UInt32>] {
  var result: [ClosedRange<UInt32>] = []
  var lower = range.lowerBound
  while lower <= range.upperBound {
    let upper = UInt32.random(in: lower...range.upperBound, using: &generator)
    result.append(lower...upper)
    lower = upper + 1
  }
  return result
}
