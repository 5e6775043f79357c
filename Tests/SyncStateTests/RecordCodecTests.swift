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
