import SpoolPlan
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/moments.txt"))
func moments(_ fixture: Fixture) throws {
  let now = try #require(Timestamp.seconds("2026-11-21T11:00:30Z".utf8))
  for line in fixture.lines() {
    let words = line.split(separator: " | ", omittingEmptySubsequences: false).map { "\($0)" }
    let moment = MomentText.seconds(Array(words[0].utf8), now: now) { _ in 3600 }
    let text = moment.map { String(decoding: Timestamp.octets($0), as: UTF8.self) } ?? "none"
    #expect(text == words[1], "\(words[0])")
  }
}

/// Where clocks go forward at 02:00 and back at 03:00, each time stands for a moment that shows it, if there is one.
@Test func clocksAreChanged() {
  let change: Int64 = 1_774_746_000  // 2026-03-29T01:00:00Z
  let offset = { (moment: Int64) in moment < change ? 3600 : 7200 }
  let read = { (text: String) in
    MomentText.seconds(Array(text.utf8), now: 0, offset: offset)
      .map { String(decoding: Timestamp.octets($0), as: UTF8.self) }
  }
  #expect(read("2026-03-29 01:30") == "2026-03-29T00:30:00Z")
  #expect(read("2026-03-29 03:30") == "2026-03-29T01:30:00Z")
  #expect(read("2026-03-30") == "2026-03-29T22:00:00Z")
}

/// Until its moment a message is sent by nobody, whatever else is said of it.
@Test func aMessageWaitsForItsMoment() throws {
  let moment: Int64 = 1_795_000_000
  guard case .send(let sample) = try Action.sample(hasCopy: false) else {
    Issue.record("the sample is no message")
    return
  }
  let sending = Sending(sample.envelope, messageID: nil, notBefore: moment)
  let progress = Progress(.send(sending), [LogRecord(.retried, at: 0)])
  #expect(progress.scheduled == moment)
  #expect(progress.next(now: moment - 1, .standard) == .wait(until: moment))
  #expect(progress.next(now: moment, .standard) == .send(progress.open))
}
