import SyncPlan
import Testing

@testable import SyncState

@Suite("Lines of the state")
struct RecordCodecTests {
  @Test("every record comes back from its line", arguments: Sample.records)
  func roundTrip(_ record: StateRecord) {
    let line = RecordCodec.encode(record)
    #expect(RecordCodec.decode(line[...]) == record)
    #expect(line.allSatisfy { (0x20...0x7E).contains($0) })
  }

  /// As older versions wrote it, and read it.
  @Test("0 is what is not known")
  func unknown() throws {
    let line = "message 7 S 0 0 - - name"
    let decoded = try #require(RecordCodec.decode(Array(line.utf8)[...]))
    guard case .message(let message) = decoded else {
      Issue.record("no message")
      return
    }
    #expect(message.size == nil && message.date == nil)
    #expect(RecordCodec.encode(decoded) == Array(line.utf8))
    let discard = "intent 9 discard 1 0 0 0 - Trash"
    let intent = try #require(RecordCodec.decode(Array(discard.utf8)[...]))
    guard case .intent(_, .discard(let disposal)) = intent else {
      Issue.record("no intent")
      return
    }
    #expect(disposal.place == nil && disposal.size == nil)
    #expect(RecordCodec.encode(intent) == Array(discard.utf8))
  }

  @Test(
    "a line cut short is no record, or the same kind with fewer digits",
    arguments: Sample.records
  )
  func cut(_ record: StateRecord) {
    let line = RecordCodec.encode(record)
    for end in line.indices { #expect(RecordCodec.decode(line[..<end]) != record) }
  }

  @Test(
    "what is not as it is written is no record",
    arguments: [
      "", " ", "message", "flags 1 S", "flags-under-way 1 S", "flags-under-way 1 S s",
      "flags 1 s -", "flags 01 S -", "gone -1", "gone 4294967296",
      "gone 1 ", " gone 1", "gone  1", "gone 1 2", "detached", "detached %", "detached %4",
      "reached 1", "intent 1 burn 2", "deletions 1 -1", "durable 1", "flags 1 - a,", "whatever 1",
    ]
  )
  func malformed(_ line: String) {
    let isEmptyName = line == "detached %"
    #expect((RecordCodec.decode(Array(line.utf8)[...]) == nil) != isEmptyName)
  }
}
