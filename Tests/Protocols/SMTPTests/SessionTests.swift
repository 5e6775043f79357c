import Octets
import SMTP
import TestSupport
import Testing

/// However the network cuts what the server says, the same happens.
private let pieceSizes = [Int.max, 1, 2, 3, 7]

@Test(arguments: try Fixtures.load("Fixtures/sessions.txt"), pieceSizes)
func session(_ fixture: Fixture, _ pieceSize: Int) throws {
  var play = Play(pieceSize: pieceSize)
  try play.run(fixture.lines())
}

@Test(arguments: try Fixtures.load("Fixtures/transactions.txt"), pieceSizes)
func transaction(_ fixture: Fixture, _ pieceSize: Int) throws {
  var play = Play(pieceSize: pieceSize)
  try play.begin(offering: fixture.lines("offers"))
  try play.run(fixture.lines())
}

/// What comes in one piece with the 220 to STARTTLS was not said under TLS (RFC 3207 §6).
@Test func repliesInjectedBehindStartTLS() throws {
  let injected = "250-x\r\n250 AUTH PLAIN\r\n"
  for count in 1...injected.utf8.count {
    var session = SMTPSession()
    _ = try session.receive([UInt8](ascii: "220 x\r\n")[...])
    session.send(.startTLS)
    let wire = [UInt8]("220 go\r\n\(injected.prefix(count))".utf8)
    let error = #expect(throws: SMTPProtocolError.self) { _ = try session.receive(wire[...]) }
    #expect(error?.problem == .dataBeforeTLS)
    #expect(throws: SMTPProtocolError.self) { try session.startedTLS() }
    #expect(session.state == .closed && session.extensions.isEmpty)
  }
}

/// Wherever the connection breaks, messages that went together are told apart: those whose last reply has come, and the rest.
@Test(arguments: [true, false]) func aFlightCutAtEveryOctet(_ isRefused: Bool) throws {
  let last = isRefused ? ["250 one", "554 two", "451 three"] : ["250 one", "250 two", "250 three"]
  let blocks = last.enumerated().map { index, reply in
    "\(index > 0 ? "250 reset\r\n" : "")250 from\r\n250-to\r\n250 to\r\n\(reply)\r\n"
  }
  let wire = [UInt8](blocks.joined().utf8)
  let ends = blocks.indices.map { blocks[...$0].joined().utf8.count }
  for count in 0...wire.count {
    var session = try readySession(offering: ["PIPELINING", "CHUNKING"])
    let facts = try MessageScanner.scan([UInt8](ascii: "hi\n"))
    for name in ["a", "b", "c"] {
      try session.beginChunk(try EnvelopeText.envelope("me@x \(name)@x"), facts)
      try session.send(message: [UInt8](ascii: "hi\n")[...])
      try session.endMessage()
    }
    let events = try session.receive(wire[..<count])
    let answered = ends.count { $0 <= count }
    let expected =
      ["accepted (250 one)"]
      + (isRefused
        ? ["refused at endOfData (554 two)", "deferred at endOfData (451 three)"]
        : ["accepted (250 two)", "accepted (250 three)"])
    #expect(events.map(OutcomeText.event) == expected.prefix(answered).map { "delivery \($0)" })
    let open = session.openOutcomes.map(OutcomeText.outcome)
    #expect(open == Array(repeating: "uncertain", count: 3 - answered), "cut at \(count)")
  }
}

/// What breaks the protocol behind the answer to a message takes nothing from that.
@Test func anErrorBehindAnAnswerComesAfterIt() throws {
  var session = try readySession(offering: ["PIPELINING"])
  let facts = try MessageScanner.scan([UInt8](ascii: "hi\n"))
  try session.begin(try EnvelopeText.envelope("me@x a@x"), facts)
  _ = try session.receive([UInt8](ascii: "250 a\r\n250 b\r\n354 c\r\n")[...])
  try session.send(message: [UInt8](ascii: "hi\n")[...])
  try session.endMessage()
  _ = try session.announce(try EnvelopeText.envelope("me@x b@x"), facts)
  let events = try session.receive([UInt8](ascii: "250 one\r\nwhat?\r\n")[...])
  #expect(events.map(OutcomeText.event) == ["delivery accepted (250 one)"])
  #expect(session.state == .closed && session.failure?.problem == .malformedReply)
  #expect(session.openOutcomes.map(OutcomeText.outcome) == ["undecided"])
  #expect(throws: SMTPProtocolError.self) { _ = try session.receive([]) }
}

/// No octet by which a server would have the whole message goes before its end is given.
@Test(arguments: ["", "\n", "hi", "hi\n", "hi\n\n", ".\n", "a\r\nb\r\n"], [1, 2, 3, 100])
func aChunkIsNotWholeBeforeItsEnd(_ text: String, _ pieceSize: Int) throws {
  let message = [UInt8](text.utf8)
  var session = try readySession(offering: ["PIPELINING", "CHUNKING"])
  let facts = try MessageScanner.scan(message)
  try session.beginChunk(try EnvelopeText.envelope("me@x a@x"), facts)
  var rest = message[...]
  while !rest.isEmpty {
    try session.send(message: rest.prefix(pieceSize))
    rest = rest.dropFirst(pieceSize)
  }
  let command = [UInt8]("RCPT TO:<a@x>\r\nBDAT \(facts.size) LAST\r\n".utf8)
  let before = session.takeOutgoing()
  let behind = before.firstRange(of: command).map { before.count - $0.upperBound }
  #expect(behind.map { $0 < facts.size } ?? true, "\(Printable.text(before))")
  try session.endMessage()
  let all = before + session.takeOutgoing()
  let end = try #require(all.firstRange(of: command)?.upperBound)
  #expect(UInt64(all.count - end) == facts.size)
}

private func readySession(offering lines: [String]) throws -> SMTPSession {
  var session = SMTPSession()
  _ = try session.receive([UInt8](ascii: "220 x\r\n")[...])
  session.send(try EnvelopeText.command("hello c.example"))
  let reply = "250-x\r\n" + lines.dropLast().map { "250-\($0)\r\n" }.joined()
  _ = try session.receive([UInt8]("\(reply)250 \(lines.last ?? "x")\r\n".utf8)[...])
  _ = session.takeOutgoing()
  return session
}

/// A session that follows the lines of a script.
private struct Play {
  private var session = SMTPSession()
  private let pieceSize: Int
  private var events: [SMTPEvent] = []
  private var expectedWire: [UInt8] = []
  private var isWireExpected = false
  private var failure: String?
  private var facts: MessageFacts?
  private var trace: [String] = []
  private var isTraceExpected = false

  init(pieceSize: Int) {
    self.pieceSize = pieceSize
  }

  /// Leads to where messages can be sent, with extensions as the reply to EHLO has them.
  mutating func begin(offering lines: [String]) throws {
    try receive("220 x")
    session.send(try EnvelopeText.command("hello c.example"))
    for line in ["x"] + lines.dropLast() { try receive("250-\(line)") }
    try receive("250 \(lines.last ?? "x")")
    _ = session.takeOutgoing()
    events = []
  }

  mutating func run(_ lines: [String]) throws {
    session.isTracing = true
    for line in lines where !line.isEmpty { try step(line) }
    try end()
  }

  private mutating func step(_ line: String) throws {
    let rest = String(line.drop { $0 != " " }.dropFirst())
    guard !line.hasPrefix(">") else { return try expectWire(String(line.dropFirst())) }
    checkWire(line)
    if !line.hasPrefix("!") { #expect(failure == nil || line.hasPrefix("S:"), "before \(line)") }
    switch String(line.prefix { $0 != " " }) {
    case "C:": session.send(try EnvelopeText.command(rest))
    case "R:": session.respond(rest == "*" ? nil : try Fixtures.unescape(rest))
    case "S:": try receive(String(line.dropFirst(line.hasPrefix("S: ") ? 3 : 2)))
    case "scan": facts = try MessageScanner.scan(try Fixtures.unescape(rest))
    case "mail":
      begin(try EnvelopeText.envelope(rest)) { try $0.begin($1, $2) }
    case "next":
      begin(try EnvelopeText.envelope(rest)) { try $0.announce($1, $2) }
    case "chunk":
      begin(try EnvelopeText.envelope(rest)) { try $0.beginChunk($1, $2) }
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
    case "E:":
      #expect(events.isEmpty ? "-" == rest : OutcomeText.event(events.removeFirst()) == rest)
    case "=": #expect("\(session.state)" == rest, "at \(line)")
    case "~": #expect(session.awaiting.map { "\($0)" } ?? "-" == rest, "at \(line)")
    case "idle": #expect("\(session.isIdle)" == rest, "at \(line)")
    case "outcome": #expect(session.outcome.map(OutcomeText.outcome) ?? "-" == rest, "at \(line)")
    case "open":
      let outcomes = session.openOutcomes.map(OutcomeText.outcome)
      #expect(outcomes.isEmpty ? "-" == rest : outcomes.joined(separator: " | ") == rest, "\(line)")
    case "lacks": #expect(lacking == rest, "at \(line)")
    case "offers": #expect(offers == rest, "at \(line)")
    case "!": expectFailure(rest)
    case "T:": expectTrace(rest)
    default: Issue.record("unknown step: \(line)")
    }
  }

  private mutating func end() throws {
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

  private mutating func begin(
    _ envelope: Envelope,
    _ body: (inout SMTPSession, Envelope, MessageFacts) throws -> Set<Shortfall>
  ) {
    guard let facts else {
      Issue.record("nothing scanned")
      return
    }
    var found: Set<Shortfall> = []
    attempt { session in found = try body(&session, envelope, facts) }
    shortfalls = found
  }

  private mutating func attempt(_ body: (inout SMTPSession) throws -> Void) {
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
      var found: [SMTPEvent] = []
      attempt { session in found = try session.receive(piece) }
      events += found
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
