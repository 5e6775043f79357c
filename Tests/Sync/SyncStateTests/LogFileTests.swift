import SyncPlan
import Testing

@testable import SyncState

@Suite("Log files")
struct LogFileTests {
  /// Two batches, as two calls of `Journal.record` write them.
  private static let batches: [[StateRecord]] = [
    [.gone(uid: 1), .gone(uid: 2), .gone(uid: 3)], [.gone(uid: 4), .gone(uid: 5)],
  ]

  private static let first =
    LogFile.encodeTitle(generation: 3, holdsPartials: false) + batches[0].flatMap(LogFile.encode)
  private static let octets =
    first + LogFile.encode(.durable) + batches[1].flatMap(LogFile.encode)
  private static let records = batches[0] + [.durable] + batches[1]

  @Test("a log holds its records in order")
  func roundTrip() throws {
    let contents = try LogFile.decode(Self.octets)
    #expect(contents.generation == 3)
    #expect(contents.records == Self.records)
    #expect(contents.validLength == Self.octets.count)
  }

  @Test("a log cut anywhere keeps every whole line before the cut")
  func cut() throws {
    for end in 0...Self.octets.count {
      let contents = try LogFile.decode(Array(Self.octets[..<end]))
      let lines = Self.octets[..<end].filter { $0 == 0x0A }.count
      #expect(contents.records == Array(Self.records.prefix(max(0, lines - 1))))
      #expect(contents.validLength <= end)
      #expect((contents.generation == nil) == (lines == 0))
    }
  }

  @Test("a bit flipped before the last flush is refused, one after it cuts the log there")
  func flipped() {
    for index in Self.octets.indices {
      for bit in 0..<8 {
        var octets = Self.octets
        octets[index] ^= 1 << bit
        let records = try? LogFile.decode(octets).records
        if index < Self.first.count {
          #expect(records == nil, "octet \(index), bit \(bit)")
        } else {
          #expect(records.map { Self.records.starts(with: $0) && $0.count >= 3 } == true)
        }
      }
    }
  }

  @Test("what a torn write leaves behind is cut off")
  func garbage() throws {
    for garbage in [[0], [UInt8](repeating: 0, count: 4096), Array("0000 gone 6\nx\n".utf8)] {
      let contents = try LogFile.decode(Self.octets + garbage)
      #expect(contents.records == Self.records)
      #expect(contents.validLength == Self.octets.count)
    }
  }

  @Test("a whole line of an unknown kind was written by a newer version")
  func newer() {
    let line = Array("kept 17".utf8)
    let sealed = TextFile.checksum(line) + [0x20] + line + [0x0A]
    #expect(throws: StateError(line: 8, problem: .newerVersion)) {
      try LogFile.decode(Self.octets + sealed)
    }
  }

  @Test(
    "a log of another version says so",
    arguments: [("2", StateError.Problem.olderVersion), ("6", .newerVersion)]
  )
  func version(_ version: String, _ problem: StateError.Problem) {
    let line = Array("log \(version) 3".utf8)
    let sealed = TextFile.checksum(line) + [0x20] + line + [0x0A]
    #expect(throws: StateError(line: 1, problem: problem)) { try LogFile.decode(sealed) }
  }
}
