import MailModel
import Maildir
import SyncPlan
import Testing

@testable import SyncState

@Suite("Map files")
struct MapFileTests {
  private static let octets = MapFile.encode(Sample.state, now: 480_000 * 3600)

  @Test("a map holds the whole state")
  func roundTrip() throws {
    #expect(try MapFile.decode(Self.octets) == Sample.state)
    #expect(try MapFile.decodeHeader(Self.octets) == Sample.state.header)
  }

  @Test("that a message was on record is known until UIDNEXT has passed it")
  func forgotten() throws {
    let header = Sample.header
    let next = try #require(header.uidNext)
    var state = MailboxState(header)
    let isUnseen = { (state: MailboxState, uid: UInt32) in
      let key = MessageKey(validity: header.validity, uid: uid, mailbox: header.id)
      return state.isUnseen(key)
    }
    for uid in [next - 1, next + 1] {
      let message = BaseRecord(uid: uid, name: [1], flags: MessageFlags(), completeness: .whole)
      state.apply(.message(message))
      #expect(!isUnseen(state, uid))
      state.apply(.gone(uid: uid))
      #expect(!isUnseen(state, uid))
    }
    #expect(isUnseen(state, next))
    let read = try MapFile.decode(MapFile.encode(state, now: 0))
    #expect(read == state && !isUnseen(read, next + 1))
    #expect(state.forgotten == [next + 1])
    state.apply(.reached(uidNext: next + 2, modSequence: nil))
    #expect(state.forgotten.isEmpty)
  }

  /// As versions wrote it that knew no other way to say that the server told none.
  @Test func zeroIsUnknown() throws {
    var header = Sample.header
    (header.uidNext, header.modSequence) = (nil, nil)
    let map = MapFile.encode(MailboxState(header), now: 0)
    let text = String(decoding: map, as: UTF8.self)
    #expect(text.contains("\nuid-next 0\nmodseq 0\n"))
    let read = try MapFile.decode(map).header
    #expect(read.uidNext == nil && read.modSequence == nil)
  }

  @Test("a map is the same in pieces of any size", arguments: [1, 2, 13, 14, 100, 1 << 16])
  func pieces(_ size: Int) throws {
    #expect(try MapFile.decode(Self.octets, piece: size) == Sample.state)
    for end in Self.octets.indices {
      let cut = Array(Self.octets[..<end])
      let whole = #expect(throws: StateError.self) { try MapFile.decode(cut) }
      let error = #expect(throws: StateError.self) { try MapFile.decode(cut, piece: size) }
      #expect(error == whole)
    }
  }

  @Test("a line that is no record is told by its number, and only where the checksum is right")
  func badLine() throws {
    let lines = Self.octets.split(separator: 10)
    for number in 1...lines.count - 2 {
      var other = lines[..<(lines.count - 1)]
      other[number] = Array("nothing known".utf8)[...]
      let body = other.flatMap { $0 + [10] }
      // A record that is not known is the work of a newer version.
      let problem: StateError.Problem =
        number > MapFile.headerLineCount ? .newerVersion : .badRecord
      #expect(throws: StateError(line: number + 1, problem: problem)) {
        try MapFile.decode(TextFile.seal(body))
      }
      #expect(throws: StateError(problem: .checksum)) {
        try MapFile.decode(TextFile.seal(body).dropLast(2) + Array("x\n".utf8))
      }
    }
    let open = Self.octets.dropLast(15)
    let problem = StateError(line: lines.count - 1, problem: .badRecord)
    #expect(throws: problem) { try MapFile.decode(TextFile.seal(Array(open))) }
  }

  @Test("a large map is written and read piece by piece, its messages as rows")
  func large() throws {
    var state = MailboxState(Sample.header)
    for uid in UInt32(1)...3000 {
      let keywords = uid % 7 == 0 ? [Array("$Label\(uid % 3)".utf8)] : []
      let name = Array((uid % 11 == 0 ? "Grüße \(uid)" : "name\(uid)").utf8)
      let flags = MessageFlags(uid % 2 == 0 ? .seen : [], keywords: keywords)
      state.apply(.message(BaseRecord(uid: uid, name: name, flags: flags, completeness: .whole)))
    }
    let pieces = Array(MapPieces(state, now: 0))
    #expect(pieces.count > 1)
    let read = try MapFile.decode(Array(pieces.joined()))
    #expect(read == state)
    #expect(read.messages.changes.isEmpty)
    #expect(read.messages.rows.count == 3000)
  }

  @Test("a map cut anywhere is refused")
  func cut() {
    for end in Self.octets.indices {
      #expect(throws: StateError.self) { try MapFile.decode(Array(Self.octets[..<end])) }
    }
  }

  @Test("a map with any bit flipped is refused")
  func flipped() {
    for index in Self.octets.indices {
      for bit in 0..<8 {
        var octets = Self.octets
        octets[index] ^= 1 << bit
        let error = #expect(throws: StateError.self) { try MapFile.decode(octets) }
        #expect(error?.problem != .newerVersion, "a flipped bit is no newer version")
      }
    }
  }

  @Test(
    "a map of another version says so",
    arguments: [("2", StateError.Problem.olderVersion), ("6", .newerVersion), ("x", .wrongKind)]
  )
  func version(_ version: String, _ problem: StateError.Problem) {
    let body = Self.octets.dropFirst(13).dropLast("end 01234567\n".count)
    let octets = TextFile.seal(Array("magnum-map \(version)\n".utf8) + body)
    #expect(throws: StateError(line: 1, problem: problem)) { try MapFile.decode(octets) }
  }

  @Test("the version goes up with the first partial message, and only then")
  func partials() throws {
    var state = MailboxState(Sample.header)
    for record in Sample.records where !record.isOfPartial { state.apply(record) }
    let plain = MapFile.encode(state, now: 0)
    #expect(plain.starts(with: Array("magnum-map 4\n".utf8)))
    #expect(try MapFile.decode(plain) == state)
    for record in Sample.records where record.isOfPartial {
      var other = state
      other.apply(record)
      guard other.holdsPartials else { continue }
      let octets = MapFile.encode(other, now: 0)
      #expect(octets.starts(with: Array("magnum-map 5\n".utf8)))
      #expect(try MapFile.decode(octets) == other)
    }
    #expect(Sample.records.count { $0.isOfPartial } == 4)
  }

  @Test("deletions older than a day are left out")
  func oldDeletions() throws {
    let later = MapFile.encode(Sample.state, now: 480_024 * 3600)
    #expect(try MapFile.decode(later).deletions.isEmpty)
    #expect(Sample.state.recentDeletions(now: 480_023 * 3600) == 12)
    #expect(Sample.state.recentDeletions(now: 480_024 * 3600) == 0)
  }
}
