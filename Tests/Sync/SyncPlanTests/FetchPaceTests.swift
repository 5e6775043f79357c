import TestSupport
import Testing

@testable import SyncPlan

/// When a further connection is to fetch from a mailbox that others fetch from already.
@Suite struct FetchPaceTests {
  /// Each line is a second: the kibibytes that came in it, or `join` where a connection joins before it; the expected lines
  /// are the seconds at whose ends one is asked for.
  @Test(arguments: try Fixtures.load("Fixtures/fetch-pace.txt"))
  func asks(_ fixture: Fixture) throws {
    let sizes = try fixture.lines("rest").map { line in
      line == "?" ? nil : try #require(UInt64(line)) << 10
    }
    var pace = FetchPace(sizes)
    let wasSized = !sizes.contains(nil)
    var (now, asked, isBegun) = (Int64(0), [String](), false)
    for line in fixture.lines("seconds") {
      if line == "join" {
        pace.join()
        isBegun = false
        continue
      }
      // The first message begins a measure, and does not count in it.
      if !isBegun { pace.recordMessage(octets: 0, wasSized: wasSized, at: now) }
      isBegun = true
      now += 1_000_000_000
      let kibibytes = try #require(UInt64(line))
      if kibibytes > 0 {
        pace.recordMessage(octets: (kibibytes - 1) << 10, wasSized: wasSized, at: now)
      }
      if pace.asksForAnother(at: now) { asked.append("\(now / 1_000_000_000)") }
    }
    #expect(asked == fixture.lines("asks"))
  }

  @Test func nothingIsAskedForBeforeTheFirstMessage() {
    var pace = FetchPace([1 << 30, nil])
    let isAsking = pace.asksForAnother(at: 10_000_000_000)
    #expect(!isAsking)
  }

  @Test func portions() {
    var pace = FetchPace([nil, nil, nil, 10_000])
    #expect(pace.portion(at: 0) == FetchPace.Portion(messages: 32, octets: 1_000_000, usual: 0))
    pace.recordMessage(octets: 99_000 - 24, wasSized: false, at: 1_000_000_000)
    // Nothing is known of the rate.
    #expect(pace.portion(at: 1_000_000_000).octets == 64_000)
    pace.recordMessage(octets: 999_000 - 24, wasSized: false, at: 2_000_000_000)
    let portion = FetchPace.Portion(messages: 125, octets: 250_000, usual: 550_000)
    #expect(pace.portion(at: 2_000_000_000) == portion)
    #expect(pace.portion(at: 2_010_000_000).octets == 247_524)
    #expect(pace.portion(at: 1_000_000_001).octets == 1_000_000)
    #expect(pace.portion(at: 100_000_000_000).octets == 64_000)
  }
}
