import Octets
import SMTP
import TestSupport
import Testing

/// The octets behind DATA of a message given in some pieces; the error if it does not go.
private func wire(_ pieces: [ArraySlice<UInt8>], _ facts: MessageFacts) -> Result<
  [UInt8], MessageError
> {
  var session = SMTPSession()
  var wire: [UInt8] = []
  do throws(MessageError) {
    try beginMessage(&session, facts)
    for piece in pieces {
      try session.send(message: piece)
      wire += session.takeOutgoing()
    }
    try session.endMessage()
    return .success(wire + session.takeOutgoing())
  } catch {
    #expect(session.takeOutgoing() == [])
    return .failure(error)
  }
}

/// Leads a session to where the server waits for the message.
private func beginMessage(_ session: inout SMTPSession, _ facts: MessageFacts) throws(MessageError)
{
  do {
    let recipient = Recipient(try EnvelopeAddress([UInt8](ascii: "b@x")))
    _ = try session.receive([UInt8](ascii: "220 x\r\n")[...])
    session.send(.hello(.loopback))
    _ = try session.receive([UInt8](ascii: "250-x\r\n250 PIPELINING\r\n")[...])
    try session.begin(Envelope(from: nil, to: [recipient]), facts)
    _ = try session.receive([UInt8](ascii: "250\r\n250\r\n354\r\n")[...])
    _ = session.takeOutgoing()
  } catch {
    Issue.record(error)
  }
  #expect(session.state == .message)
}

private func scan(_ pieces: [ArraySlice<UInt8>]) -> Result<MessageFacts, MessageError> {
  Result { () throws(MessageError) in
    var scanner = MessageScanner()
    for piece in pieces { try scanner.add(piece) }
    return try scanner.finish()
  }
}

/// All ways to cut octets once, and the one to cut them everywhere.
private func cuts(of octets: [UInt8]) -> [[ArraySlice<UInt8>]] {
  octets.indices.map { [octets[..<$0], octets[$0...]] } + [octets.indices.map { octets[$0...$0] }]
    + [[octets[...]]]
}

@Test(arguments: try Fixtures.load("Fixtures/messages.txt"))
func message(_ fixture: Fixture) throws {
  let octets = try fixture.wire()
  for pieces in cuts(of: octets) {
    switch scan(pieces) {
    case .success(let facts):
      #expect(text(facts) == fixture["facts"])
      #expect(wire(pieces, facts) == .success(try fixture.wire("wire")), "\(pieces)")
    case .failure(let error):
      #expect("\(error)" == fixture["problem"])
      // Without a scan, or with one of another message, nothing that ends is sent either.
      let facts = try MessageScanner.scan([UInt8]())
      #expect(wire(pieces, facts) == .failure(error), "\(pieces)")
    }
  }
}

private func text(_ facts: MessageFacts) -> String {
  var text = "\(facts.lines) lines, \(facts.size) octets, longest \(facts.longestLine)"
  if facts.hasEightBits { text += ", eight bits" }
  if facts.hasEightBitHeader { text += ", in header" }
  return text
}

@Test func longLinesAreReported() throws {
  let line = [UInt8](repeating: 0x61, count: 998)
  let facts = try MessageScanner.scan(line + [10] + line + [0x61, 13, 10, 10] + line + line)
  #expect(facts.overlongLines == 2)
  #expect(facts.firstOverlongLine == 2)
  #expect(facts.longestLine == 1996)
  #expect(try MessageScanner.scan(line).overlongLines == 0)
  #expect(try MessageScanner.scan(line).firstOverlongLine == nil)
}

// What a receiver sees.

/// A receiver as naive as there are: lines end with whatever it takes for an end of line.
private enum Receiver: CaseIterable {
  case carriageReturnLineFeed, lineFeed, carriageReturn, anything

  /// The message it reads, with LF for line ends, and what it takes for the next command.
  func read(_ wire: [UInt8]) -> (message: [UInt8], rest: ArraySlice<UInt8>)? {
    var message: [UInt8] = []
    var rest = wire[...]
    while let (line, after) = nextLine(rest) {
      rest = after
      if line.elementsEqual([ASCII.dot]) { return (message, rest) }
      message += (line.first == ASCII.dot ? line.dropFirst() : line) + [ASCII.lineFeed]
    }
    return nil
  }

  private func nextLine(_ rest: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
    for index in rest.indices {
      let length = endLength(rest[index...])
      if length > 0 { return (rest[..<index], rest[(index + length)...]) }
    }
    return nil
  }

  /// How many octets of line end there are at the start.
  private func endLength(_ rest: ArraySlice<UInt8>) -> Int {
    let isPair = rest.starts(with: [13, 10])
    switch self {
    case .carriageReturnLineFeed: return isPair ? 2 : 0
    case .lineFeed: return isPair ? 2 : rest.first == 10 ? 1 : 0
    case .carriageReturn: return isPair ? 2 : rest.first == 13 ? 1 : 0
    case .anything: return isPair ? 2 : rest.first == 10 || rest.first == 13 ? 1 : 0
    }
  }
}

/// Every message of a few octets that matter: what goes on the wire is read as the same message by
/// every receiver, with nothing behind it, and has no CR and no LF alone.
@Test(arguments: 0...7)
func nothingCanBeSmuggled(_ length: Int) throws {
  let alphabet = [UInt8](ascii: ".a\r\n")
  var sent = 0
  for number in 0..<(1 << (2 * length)) {
    sent += try check((0..<length).map { alphabet[number >> (2 * $0) & 3] })
  }
  #expect(sent >= 1 << length)
}

/// Long messages with the signs of the trade in them.
@Test(arguments: 0..<20)
func nothingCanBeSmuggledInLongMessages(_ seed: UInt64) throws {
  var generator = SeededGenerator(seed: seed)
  let parts = [
    "\n.\n", "\r\n.\r\n", "\n.\r\n", "\r\n.\n", ".", "..", "\r\n", "\n", "MAIL FROM:<a@b>",
  ]
  for _ in 0..<20 {
    var octets: [UInt8] = []
    for _ in 0..<50 { octets += [UInt8]((parts.randomElement(using: &generator) ?? "").utf8) }
    #expect(try check(octets, cutAt: Int.random(in: 0...octets.count, using: &generator)) == 1)
  }
}

/// Returns 1 when the message went, 0 when it was refused.
private func check(_ octets: [UInt8], cutAt cut: Int = 0) throws -> Int {
  let pieces = [octets[..<cut], octets[cut...]]
  guard case .success(let facts) = scan(pieces) else {
    #expect(hasLoneCarriageReturn(octets))
    return 0
  }
  #expect(!hasLoneCarriageReturn(octets))
  let wire = try wire(pieces, facts).get()
  #expect(!hasLoneCarriageReturn(wire) && !hasLoneLineFeed(wire))
  let expected = unixLines(octets)
  #expect(facts.size == UInt64(expected.count + expected.count { $0 == 10 }))
  for receiver in Receiver.allCases {
    let read = receiver.read(wire)
    #expect(read?.message == expected, "\(receiver): \(Printable.text(octets))")
    #expect(read?.rest.isEmpty == true, "\(receiver): \(Printable.text(octets))")
  }
  return 1
}

/// The message with LF for its line ends, the last one included.
private func unixLines(_ octets: [UInt8]) -> [UInt8] {
  let lines = octets.filter { $0 != 13 }
  return lines.isEmpty || lines.last == 10 ? lines : lines + [10]
}

private func hasLoneCarriageReturn(_ octets: [UInt8]) -> Bool {
  octets.indices.contains { octets[$0] == 13 && octets[$0...].dropFirst().first != 10 }
}

private func hasLoneLineFeed(_ octets: [UInt8]) -> Bool {
  octets.indices.contains { octets[$0] == 10 && ($0 == 0 || octets[$0 - 1] != 13) }
}

/// What was queued before a message turned out bad does not go any more.
@Test func anAbandonedMessageLeavesNothing() throws {
  for bad in ["a\0", "\r.", "\ra"] {
    var session = SMTPSession()
    try beginMessage(&session, try MessageScanner.scan([UInt8]()))
    try session.send(message: [UInt8](ascii: "a\n")[...])
    #expect(throws: MessageError.self) { try session.send(message: [UInt8](bad.utf8)[...]) }
    #expect(session.takeOutgoing() == [])
    #expect(session.state == .closed && !session.isIdle && session.awaiting == nil)
  }
}

/// A large message goes piece by piece; nothing of it stays behind.
@Test func aLargeMessageIsStreamed() throws {
  let piece = [UInt8](repeating: 0x61, count: 1 << 16) + [10]
  let facts = try scan(Array(repeating: piece[...], count: 32)).get()
  var session = SMTPSession()
  try beginMessage(&session, facts)
  for _ in 0..<32 {
    try session.send(message: piece[...])
    #expect(session.takeOutgoing().count == piece.count + 1)
  }
  try session.endMessage()
  #expect(session.takeOutgoing() == [UInt8](ascii: ".\r\n"))
}

#if !DEBUG
/// The budget: 64 MiB of short lines scanned and sent in well under a second each.
@Test func largeMessagesAreFast() throws {
  let line = [UInt8](repeating: 0x61, count: 63) + [10]
  let piece = [UInt8](Array(repeating: line, count: 1024).joined())
  var facts: MessageFacts?
  let scanning = try ProcessorTime.measure {
    facts = try scan(Array(repeating: piece[...], count: 1024)).get()
  }
  var session = SMTPSession()
  try beginMessage(&session, try #require(facts))
  let sending = try ProcessorTime.measure {
    for _ in 0..<1024 {
      try session.send(message: piece[...])
      _ = session.takeOutgoing()
    }
    try session.endMessage()
  }
  #expect(scanning < .seconds(1))
  #expect(sending < .seconds(1))
}
#endif
