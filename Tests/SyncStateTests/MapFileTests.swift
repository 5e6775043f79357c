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
    arguments: [("2", StateError.Problem.olderVersion), ("5", .newerVersion), ("x", .wrongKind)]
  )
  func version(_ version: String, _ problem: StateError.Problem) {
    let body = Self.octets.dropFirst(13).dropLast("end 01234567\n".count)
    let octets = TextFile.seal(Array("magnum-map \(version)\n".utf8) + body)
    #expect(throws: StateError(line: 1, problem: problem)) { try MapFile.decode(octets) }
  }

  @Test("deletions older than a day are left out")
  func oldDeletions() throws {
    let later = MapFile.encode(Sample.state, now: 480_024 * 3600)
    #expect(try MapFile.decode(later).deletions.isEmpty)
    #expect(Sample.state.recentDeletions(now: 480_023 * 3600) == 12)
    #expect(Sample.state.recentDeletions(now: 480_024 * 3600) == 0)
  }
}
