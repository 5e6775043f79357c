import TestSupport
import Testing

@testable import SyncPlan

/// How much may be fetched in a day.
@Suite struct DailyLimitTests {
  /// Steps are a line each: day and hour of the clock, then `asks SIZE` or `came SIZE OCTETS`; `?` is a size that was not told.
  ///
  /// What is said of a step is whether the message may be fetched, and what the day and its octets are then.
  @Test(arguments: try Fixtures.load("Fixtures/daily-limit.txt"))
  func allows(_ fixture: Fixture) throws {
    var limit: DailyLimit?
    let octets = try #require(fixture.lines("limit").first.flatMap { UInt64($0) })
    let count = fixture.lines("counted").first.map(numbers).map {
      DailyLimit.Count(day: Int64($0[0]), octets: UInt64($0[1]))
    }
    var said: [String] = []
    for line in fixture.lines("steps") {
      let words = line.split(separator: " ").map { "\($0)" }
      let time = numbers(words[0].replacing(".", with: " "))
      let now = Int64(time[0] * 86_400 + time[1] * 3600)
      var current = limit ?? DailyLimit(octets: octets, count: count, now: now)
      let size = UInt64(words[2])
      var answer = "came"
      if words[1] == "asks" {
        answer = current.ask(size, at: now) ? "yes" : "no"
      } else {
        current.finishRequest(size)
        current.addOctets(try #require(UInt64(words[3])), at: now)
      }
      said.append("\(answer) \(current.count.day) \(current.count.octets)")
      limit = current
    }
    #expect(said == fixture.lines("says"))
  }

  private func numbers(_ line: String) -> [Int] {
    line.split(separator: " ").compactMap { Int($0) }
  }

  @Test func itGoesOnAtTheEndOfTheDay() {
    let limit = DailyLimit(octets: 1, count: nil, now: 20_000 * 86_400 + 86_399)
    #expect(limit.dayEnd == 20_001 * 86_400)
  }
}
