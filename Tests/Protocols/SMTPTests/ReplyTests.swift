import Octets
import SMTP
import TestSupport
import Testing

private let smallLimits = ReplyLimits(lineLength: 98, lineCount: 4)

/// What a session made of a greeting that arrived in some pieces.
private func reading(_ pieces: [ArraySlice<UInt8>], limits: ReplyLimits = smallLimits) -> String {
  var session = SMTPSession(limits: limits)
  var result = ""
  do throws(SMTPProtocolError) {
    for piece in pieces {
      // What is not asked for shall not be the matter here: one NOOP for each reply.
      for event in try session.receive(piece) {
        result += text(event)
        if session.state != .closed { session.send(.noop) }
      }
    }
  } catch {
    result += error.description
  }
  return result
}

private func text(_ event: SMTPEvent) -> String {
  switch event {
  case .greeting(let reply), .noop(let reply), .closing(let reply, _): text(reply)
  default: "\(event)"
  }
}

private func text(_ reply: Reply) -> String {
  let lines = reply.lines.map { "“\(Printable.text($0))”" }
  return "\(reply.code) \(reply.status.map { "\($0)" } ?? "-") \(lines.joined(separator: " "))"
}

@Test(arguments: try Fixtures.load("Fixtures/replies.txt"))
func reply(_ fixture: Fixture) throws {
  let wire = try fixture.wire()
  let expected = try fixture.text("reply")
  #expect(reading([wire[...]]) == expected)
  #expect(reading(wire.indices.map { wire[$0...$0] }) == expected)
  for cut in wire.indices {
    #expect(reading([wire[..<cut], wire[cut...]]) == expected, "cut at \(cut)")
  }
}

@Test func kindsOfReplies() {
  for code in UInt16(200)...599 {
    let reply = Reply(code: code, lines: [[]])
    let kinds = [reply.isPositive, reply.isIntermediate, reply.isTransient, reply.isPermanent]
    #expect(kinds.firstIndex(of: true) == Int(code / 100) - 2)
    #expect(kinds.count { $0 } == 1)
    #expect(reply.isClosing == (code == 421))
  }
}

/// A line without end costs its limit and no more.
@Test func anEndlessLineIsRefused() {
  var session = SMTPSession()
  let piece = [UInt8](repeating: 0x61, count: 1024)
  #expect(throws: SMTPProtocolError.self) {
    for _ in 0..<17 { _ = try session.receive(piece[...]) }
  }
}

/// A reply without end costs its limit and no more.
@Test func anEndlessReplyIsRefused() {
  var session = SMTPSession()
  #expect(throws: SMTPProtocolError.self) {
    for _ in 0..<129 { _ = try session.receive([UInt8](ascii: "250-x\r\n")[...]) }
  }
}

/// Half of a secret at the place where an error cuts the line would still be a secret.
@Test func noPartOfASecretIsInAnError() throws {
  for length in 170...210 {
    var session = SMTPSession()
    _ = try session.receive([UInt8](ascii: "220 x\r\n")[...])
    session.send(.authenticate(mechanism: [UInt8](ascii: "LOGIN"), initialResponse: nil))
    _ = try session.receive([UInt8](ascii: "334 VXNlcm5hbWU6\r\n")[...])
    session.respond([UInt8](repeating: 0x53, count: 40))
    let echo = [UInt8](repeating: 0x2E, count: length) + [UInt8](repeating: 0x53, count: 40) + [10]
    let error = #expect(throws: SMTPProtocolError.self) { _ = try session.receive(echo[...]) }
    #expect(error?.line.contains(0x53) == false)
    #expect((error?.line.count ?? 0) <= 200)
  }
}

/// Servers repeat the password by itself, too, as it is or encoded.
@Test func noSecretIsInAnAnswer() throws {
  let secret = [UInt8](ascii: "hunter2")
  let encoded = String(decoding: Base64.encode(secret), as: UTF8.self)
  var session = SMTPSession()
  session.isTracing = true
  _ = try session.receive([UInt8](ascii: "220 x\r\n")[...])
  let response = [0] + [UInt8](ascii: "u") + [0] + secret
  session.send(
    .authenticate(mechanism: [UInt8](ascii: "PLAIN"), initialResponse: response, secret: secret)
  )
  let refusal = Array("535 5.7.8 not hunter2 nor \(encoded), u\r\n".utf8)
  let events = try session.receive(refusal[...])
  let shown = Reply(code: 535, lines: [Array("5.7.8 not … nor …, u".utf8)])
  #expect(events == [.authentication(shown)])
  #expect(session.takeTrace().last?.display == "S: 535 5.7.8 not … nor …, u")
}

/// Garbage ends in an error or in events, and means the same in any pieces.
@Test(arguments: 0..<50)
func garbageIsHarmless(_ seed: UInt64) throws {
  var generator = SeededGenerator(seed: seed)
  let fixtures = try Fixtures.load("Fixtures/replies.txt")
  for _ in 0..<40 {
    var wire: [UInt8] = []
    for _ in 0..<3 { wire += try fixtures.randomElement(using: &generator)?.wire() ?? [] }
    for _ in 0..<Int.random(in: 0...6, using: &generator) where !wire.isEmpty {
      let place = Int.random(in: 0..<wire.count, using: &generator)
      wire[place] = [13, 10, 0, 32, 45, 50, 52, 255].randomElement(using: &generator) ?? 0
    }
    _ = driven(wire, &generator)
  }
}

/// Drives a session through everything, whatever the server answers; returns how many events.
private func driven(_ wire: [UInt8], _ generator: inout SeededGenerator) -> Int {
  var session = SMTPSession(limits: smallLimits)
  var count = 0
  var rest = wire[...]
  while !rest.isEmpty {
    let piece = rest.prefix(Int.random(in: 1...30, using: &generator))
    rest = rest.dropFirst(piece.count)
    guard let events = try? session.receive(piece) else { return count }
    count += events.count
    if session.awaiting == nil { act(&session, events, &generator) }
    if session.state == .message {
      _ = try? session.send(message: [UInt8](ascii: "a\n.")[...])
      _ = try? session.endMessage()
    }
  }
  return count
}

private func act(
  _ session: inout SMTPSession,
  _ events: [SMTPEvent],
  _ generator: inout SeededGenerator
) {
  if case .challenge = events.last { return session.respond([1, 2, 3]) }
  switch Int.random(in: 0...4, using: &generator) {
  case 0: session.send(.hello(.loopback))
  case 1: session.send(.authenticate(mechanism: [UInt8](ascii: "PLAIN"), initialResponse: [0]))
  case 2: session.send(.reset)
  case 3 where session.state == .ready:
    guard let address = try? EnvelopeAddress([0x61]),
      let facts = try? MessageScanner.scan([UInt8](ascii: "a\n."))
    else { return }
    _ = try? session.begin(Envelope(from: nil, to: [Recipient(address)]), facts)
  default: session.send(.noop)
  }
}

@Test(arguments: 0..<20)
func noiseIsHarmless(_ seed: UInt64) {
  var generator = SeededGenerator(seed: seed)
  let noise = generator.octets(2000)
  _ = driven(noise, &generator)
}
