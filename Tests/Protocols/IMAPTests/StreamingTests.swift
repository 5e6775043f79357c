import IMAP
import Octets
import TestSupport
import Testing

/// Body chunks are places in the octets that arrived, not copies of them.
@Test func bodyChunksAreSlicesOfTheInput() throws {
  var session = try greetedSession()
  let wire = [UInt8](ascii: "* 1 FETCH (UID 5 BODY[] {10}\r\n0123456789)\r\n")
  let events = try session.receive(wire[..<34])
  #expect(events == [.bodyBegin(size: 10), .bodyChunk(wire[30..<34])])
  #expect(chunkRange(events.last) == 30..<34)
  let rest = try session.receive(wire[34...])
  #expect(chunkRange(rest.first) == 34..<40)
}

private func chunkRange(_ event: Event?) -> Range<Int>? {
  guard case .bodyChunk(let chunk) = event else { return nil }
  return chunk.startIndex..<chunk.endIndex
}

/// A body of 2 GiB minus one passes through; only the piece at hand is ever held.
@Test func theLargestBodyPasses() throws {
  var session = try greetedSession()
  let size: UInt64 = 2 << 30
  var events = try session.receive([UInt8]("* 1 FETCH (BODY[] {\(size)}\r\n".utf8)[...])
  #expect(events == [.bodyBegin(size: size)])
  let piece = [UInt8](repeating: 0x61, count: 64 << 20)
  for _ in 0..<32 {
    events = try session.receive(piece[...])
    #expect(chunkRange(events.first) == 0..<piece.count)
  }
  #expect(events.last == .bodyEnd)
  events = try session.receive([UInt8](ascii: " UID 7)\r\n")[...])
  guard case .fetch(let fetch) = events.last else {
    Issue.record("no FETCH")
    return
  }
  #expect(fetch.uid == 7)
}

/// What arrived is not kept behind the caller's back: a buffer can be filled again without a copy.
@Test func nothingHoldsOnToTheInput() throws {
  var session = try greetedSession()
  var buffer = [UInt8](ascii: "* 1 FETCH (FLAGS (\\Seen $A) UID 5)\r\n* 2 EXISTS\r\n* LIST () ")
  let address = buffer.withUnsafeBytes { $0.baseAddress }
  _ = try session.receive(buffer[...])
  buffer[0] = 0x2B
  #expect(buffer.withUnsafeBytes { $0.baseAddress } == address)
}

/// A line without end costs its limit and no more.
@Test func anEndlessLineIsRefused() throws {
  var session = try greetedSession(limits: Limits(lineLength: 100_000))
  let piece = [UInt8](repeating: 0x61, count: 4096)
  _ = try session.receive([UInt8](ascii: "* OK ")[...])
  #expect(throws: ProtocolError.self) {
    for _ in 0..<25 { _ = try session.receive(piece[...]) }
  }
}

#if !DEBUG
/// The budget: 10,000 FETCH lines in well under 100 ms, here on any machine that runs tests.
@Test func manyFetchLinesAreReadFast() throws {
  var wire: [UInt8] = []
  for number in 1...10_000 {
    wire += "* \(number) FETCH (UID \(number + 1000) FLAGS (\\Seen $Forwarded) MODSEQ (7))\r\n".utf8
  }
  var session = try greetedSession()
  var count = 0
  let time = try ProcessorTime.measure { count = try session.receive(wire[...]).count }
  #expect(count == 10_000)
  #expect(time < .milliseconds(100))
}
#endif
