import IMAP
import Octets
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/sessions.txt"))
func session(_ fixture: Fixture) throws {
  var play = Play()
  for line in fixture.lines() where !line.isEmpty { try play.step(line) }
  try play.end()
}

/// A session that follows the lines of a script.
private struct Play {
  private var session = Session()
  private var events = EventText()
  private var expectedWire: [UInt8] = []
  private var isWireExpected = false
  private var failure: ProtocolError?
  private var trace: [String] = []
  private var isTraceExpected = false

  init() {
    session.isTracing = true
  }

  mutating func step(_ line: String) throws {
    let rest = String(line.drop { $0 != " " }.dropFirst())
    guard !line.hasPrefix(">") else { return try expectWire(String(line.dropFirst())) }
    checkWire(line)
    if !line.hasPrefix("!") { #expect(failure == nil || line.hasPrefix("S:"), "before \(line)") }
    let kind = String(line.prefix { $0 != " " && $0 != "\\" })
    switch kind {
    case "C:": _ = session.send(try CommandText.parse(rest))
    case "R:": session.respond(rest == "*" ? nil : try Fixtures.unescape(rest))
    case "DONE": session.endIdle()
    case "L:": session.feedLiteral(try Fixtures.unescape(rest)[...])
    case "L?": #expect(literalText == rest, "at \(line)")
    case "S:": try receive(String(line.dropFirst(line.hasPrefix("S: ") ? 3 : 2)))
    case "E:": #expect(events.next() == rest.replacing("\\s", with: " "), "at \(line)")
    case "=": #expect(stateText == rest)
    case "#": #expect("\(session.pending)" == rest)
    case "caps": #expect(capabilityText == rest)
    case "TLS": startTLS()
    case "Z":
      let compressed = session.takeCompressed().map { Printable.text($0) } ?? "-"
      #expect(compressed == rest.replacing("\\s", with: ""))
    case "!": expectFailure(rest)
    case "T:": expectTrace(rest)
    default: Issue.record("unknown step: \(line)")
    }
  }

  mutating func end() throws {
    checkWire("the end")
    #expect(failure == nil)
    let left = events.next()
    #expect(left == nil)
    if isTraceExpected { #expect(nextTrace() == nil) }
  }

  private mutating func receive(_ line: String) throws {
    let isOpen = line.hasSuffix("\\")
    let octets = try Fixtures.unescape(isOpen ? String(line.dropLast()) : line)
    var found: [Event] = []
    do {
      try session.receive((isOpen ? octets : octets + [13, 10])[...], into: &found)
    } catch {
      failure = error
    }
    events.append(found)
  }

  private mutating func startTLS() {
    do throws(ProtocolError) {
      try session.startedTLS()
    } catch {
      failure = error
    }
  }

  private mutating func expectFailure(_ text: String) {
    #expect(failure?.description == text)
    failure = nil
  }

  private mutating func expectWire(_ text: String) throws {
    isWireExpected = true
    let line = text.hasPrefix(" ") ? String(text.dropFirst()) : text
    guard line != "-" else { return }
    if line.hasSuffix("\\") {
      expectedWire += try Fixtures.unescape(String(line.dropLast()))
    } else {
      expectedWire += try Fixtures.unescape(line == "\\s" ? "" : line) + [13, 10]
    }
  }

  /// Compares what goes out with the lines gathered, once a line of another kind comes.
  private mutating func checkWire(_ line: String) {
    guard isWireExpected else { return }
    let wire = session.takeOutgoing()
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

  private var stateText: String {
    guard case .selected(let mailbox, let isReadOnly) = session.state else {
      return "\(session.state)"
    }
    return "selected \(mailbox)\(isReadOnly ? " read-only" : "")"
  }

  private var literalText: String {
    guard let literal = session.wantedLiteral else { return "-" }
    let place = "\(literal.tag).\(literal.index) \(literal.remaining)/\(literal.size)"
    return place + (literal.isRefused ? " refused" : "")
  }

  private var capabilityText: String {
    let words = session.capabilities.words.map(CommandText.text)
    return words.isEmpty ? "-" : words.joined(separator: " ")
  }
}
