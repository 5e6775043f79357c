import IMAP
import Octets
import TestSupport
import Testing

/// What a session made of octets that arrived in some pieces.
private struct Reading: Equatable {
  var lines: [String] = []
  var error: ProtocolError?

  /// The reading of octets that arrive in these pieces, after a greeting and three commands.
  init(_ pieces: [ArraySlice<UInt8>], limits: Limits = .standard) throws {
    var session = try greetedSession(limits: limits)
    for _ in 0..<3 { _ = session.send(.noop) }
    var events: [Event] = []
    do throws(ProtocolError) {
      for piece in pieces { try session.receive(piece, into: &events) }
    } catch {
      self.error = error
    }
    var text = EventText()
    text.append(events)
    lines = text.lines
  }
}

private func responses() throws -> [Fixture] {
  try Fixtures.load("Fixtures/responses.txt") + Fixtures.load("Fixtures/fetches.txt")
}

private let smallLimits = Limits(
  lineLength: 300,
  literalSize: 1000,
  shortLiteralSize: 100,
  listLength: 20,
  nesting: 5
)

@Test(arguments: try responses())
func response(_ fixture: Fixture) throws {
  let wire = try fixture.wire()
  let whole = try Reading([wire[...]])
  #expect(whole.lines == fixture.lines("events"))
  #expect(whole.error == nil)
}

/// Octets arrive as the network likes: no cut makes a difference.
@Test(arguments: try responses())
func everySplitMeansTheSame(_ fixture: Fixture) throws {
  let wire = try fixture.wire()
  let whole = try Reading([wire[...]])
  #expect(try Reading(wire.indices.map { wire[$0...$0] }) == whole)
  for cut in wire.indices {
    #expect(try Reading([wire[..<cut], wire[cut...]]) == whole, "cut at \(cut)")
  }
}

@Test(arguments: try Fixtures.load("Fixtures/hostile.txt"))
func hostileResponse(_ fixture: Fixture) throws {
  let wire = try fixture.wire()
  let whole = try Reading([wire[...]], limits: smallLimits)
  #expect(whole.error?.description == fixture["problem"])
  for cut in wire.indices {
    let parts = try Reading([wire[..<cut], wire[cut...]], limits: smallLimits)
    #expect(parts.error == whole.error, "cut at \(cut)")
  }
}

/// Broken and shuffled responses end in an error or in events, and mean the same in any pieces.
@Test(arguments: 0..<100)
func garbageIsHarmless(_ seed: UInt64) throws {
  var generator = SeededGenerator(seed: seed)
  let fixtures = try responses() + Fixtures.load("Fixtures/hostile.txt")
  for _ in 0..<20 {
    let wire = try mutated(fixtures, &generator)
    let whole = try Reading([wire[...]], limits: smallLimits)
    let parts = try Reading(randomPieces(of: wire, &generator), limits: smallLimits)
    #expect(parts.error?.problem == whole.error?.problem, "\(Printable.text(wire))")
    if whole.error == nil { #expect(parts.lines == whole.lines, "\(Printable.text(wire))") }
  }
}

private func mutated(
  _ fixtures: [Fixture],
  _ generator: inout SeededGenerator
) throws -> [UInt8] {
  var wire: [UInt8] = []
  for _ in 0..<3 {
    guard let fixture = fixtures.randomElement(using: &generator) else { continue }
    wire += try fixture.wire()
  }
  let interesting = [UInt8]("(){}[]\"\\ \r\n*+~<>0959ABn\0\u{7f}".utf8)
  for _ in 0..<Int.random(in: 1...8, using: &generator) where wire.count > 2 {
    let place = wire.indices.randomElement(using: &generator) ?? 0
    let octet = interesting.randomElement(using: &generator) ?? 0
    switch Int.random(in: 0...3, using: &generator) {
    case 0: wire[place] = octet
    case 1: wire.insert(octet, at: place)
    case 2: wire.remove(at: place)
    default: wire.removeSubrange(place..<min(place + 7, wire.count))
    }
  }
  return wire
}

private func randomPieces(
  of wire: [UInt8],
  _ generator: inout SeededGenerator
) -> [ArraySlice<UInt8>] {
  var pieces: [ArraySlice<UInt8>] = []
  var rest = wire[...]
  while !rest.isEmpty {
    let count = Int.random(in: 1...20, using: &generator)
    pieces.append(rest.prefix(count))
    rest = rest.dropFirst(count)
  }
  return pieces
}

@Test(arguments: 0..<50)
func noiseIsHarmless(_ seed: UInt64) throws {
  var generator = SeededGenerator(seed: seed)
  let noise = generator.octets(5000)
  #expect(try Reading([noise[...]], limits: smallLimits).error != nil)
}
