import Octets
import SMTP
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/sessions.txt"))
func session(_ fixture: Fixture) throws {
  var play = Play()
  for line in fixture.lines() where !line.isEmpty { try play.step(line) }
  try play.end()
}

/// However the network cuts what the server says, the same happens.
@Test(arguments: try Fixtures.load("Fixtures/sessions.txt"), [1, 2, 3, 7])
func sessionInPieces(_ fixture: Fixture, _ size: Int) throws {
  var play = Play(pieceSize: size)
  for line in fixture.lines() where !line.isEmpty { try play.step(line) }
  try play.end()
}

/// A session that follows the lines of a script.
private struct Play {
  private var session = Session()
  private let pieceSize: Int
  private var events: [Event] = []
  private var expectedWire: [UInt8] = []
  private var isWireExpected = false
  private var failure: String?
  private var facts = MessageFacts()
  private var trace: [String] = []
  private var isTraceExpected = false

  init(pieceSize: Int = .max) {
    self.pieceSize = pieceSize
    session.isTracing = true
  }

  mutating func step(_ line: String) throws {
    let rest = String(line.drop { $0 != " " }.dropFirst())
    guard !line.hasPrefix(">") else { return try expectWire(String(line.dropFirst())) }
    checkWire(line)
    if !line.hasPrefix("!") { #expect(failure == nil || line.hasPrefix("S:"), "before \(line)") }
    switch String(line.prefix { $0 != " " }) {
    case "C:": session.send(try EnvelopeText.command(rest))
    case "R:": session.respond(rest == "*" ? nil : try Fixtures.unescape(rest))
    case "S:": try receive(String(line.dropFirst(line.hasPrefix("S: ") ? 3 : 2)))
    case "scan": facts = try MessageScanner.scan(try Fixtures.unescape(rest))
    case "mail": begin(try EnvelopeText.envelope(rest))
    case "body":
      let piece = try Fixtures.unescape(rest)
      attempt { session in try session.send(message: piece[...]) }
    case "end": attempt { session in try session.endMessage() }
    case "TLS": attempt { session in try session.startedTLS() }
    default: try check(line, rest)
    }
  }

  private mutating func check(_ line: String, _ rest: String) throws {
    switch String(line.prefix { $0 != " " }) {
    case "E:": #expect(events.isEmpty ? "-" == rest : OutcomeText.event(events.removeFirst()) == rest)
    case "=": #expect("\(session.state)" == rest, "at \(line)")
    case "~": #expect(session.awaiting.map { "\($0)" } ?? "-" == rest, "at \(line)")
    case "fates": #expect(session.outcome.map(OutcomeText.outcome) ?? "-" == rest, "at \(line)")
    case "lacks": #expect(lacking == rest, "at \(line)")
    case "offers": #expect(offers == rest, "at \(line)")
    case "!": expectFailure(rest)
    case "T:": expectTrace(rest)
    default: Issue.record("unknown step: \(line)")
    }
  }

  mutating func end() throws {
    checkWire("the end")
    #expect(failure == nil)
    #expect(events.map(OutcomeText.event) == [])
    if isTraceExpected { #expect(nextTrace() == nil) }
  }

  private var shortfalls: Set<Shortfall> = []

  private var lacking: String {
    let names = Shortfall.allCases.filter(shortfalls.contains).map { "\($0)" }
    return names.isEmpty ? "-" : names.joined(separator: " ")
  }

  private var offers: String {
    let lines = session.extensions.lines.map { String(decoding: $0, as: UTF8.self) }
    return lines.isEmpty ? "-" : lines.joined(separator: ", ")
  }

  private mutating func begin(_ envelope: Envelope) {
    let facts = facts
    var found: Set<Shortfall> = []
    attempt { session in found = try session.begin(envelope, facts) }
    shortfalls = found
  }

  private mutating func attempt(_ body: (inout Session) throws -> Void) {
    do {
      try body(&session)
    } catch {
      failure = "\(error)"
    }
  }

  private mutating func receive(_ line: String) throws {
    let isOpen = line.hasSuffix("\\")
    var octets = try Fixtures.unescape(isOpen ? String(line.dropLast()) : line)[...]
    if !isOpen { octets += [13, 10] }
    while !octets.isEmpty, failure == nil {
      let piece = octets.prefix(pieceSize)
      octets = octets.dropFirst(pieceSize)
      attempt { [events] session in self.events = events + (try session.receive(piece)) }
    }
  }

  private mutating func expectFailure(_ text: String) {
    #expect(failure == text)
    failure = nil
  }

  private mutating func expectWire(_ text: String) throws {
    isWireExpected = true
    let line = text.hasPrefix(" ") ? String(text.dropFirst()) : text
    guard line != "-" else { return }
    let isOpen = line.hasSuffix("\\") && !line.hasSuffix("\\\\")
    expectedWire += try Fixtures.unescape(isOpen ? String(line.dropLast()) : line)
    if !isOpen { expectedWire += [13, 10] }
  }

  /// Compares what goes out with the lines gathered, once a line of another kind comes.
  private mutating func checkWire(_ line: String) {
    let wire = session.takeOutgoing()
    guard isWireExpected || !wire.isEmpty else { return }
    #expect(wire == expectedWire, "before \(line): \(Printable.text(wire))")
    expectedWire = []
    isWireExpected = false
  }

  private mutating func expectTrace(_ text: String) {
    isTraceExpected = true
    #expect(nextTrace() == text)
  }

  private mutating func nextTrace() -> String? {
    trace += session.takeTrace().map { "\($0.direction == .sent ? ">" : "<") \($0.text)" }
    return trace.isEmpty ? nil : trace.removeFirst()
  }
}
