import MailModel
import Octets
import SMTP
import SpoolPlan
import TestSupport
import Testing

@Test(arguments: try Fixtures.load("Fixtures/progress.txt"))
func nextSteps(_ fixture: Fixture) throws {
  var log = Array((fixture["log"] ?? "").utf8)
  if !log.isEmpty, !fixture.has("torn") { log.append(ASCII.lineFeed) }
  var schedule = RetrySchedule.standard
  if fixture.has("hold") { schedule.uncertain = .hold }
  if let text = fixture["lifetime"] { schedule.lifetime = try #require(Int64(text)) }
  let action =
    fixture.has("messages")
    ? Action.change
    : try Action.sample(hasCopy: fixture.has("copy"), agent: fixture.has("agent") ? "helper" : nil)
  let progress = Progress(action, try LogRecord.parse(log), schedule)
  let now = try #require(Timestamp.seconds("2026-11-21T12:00:00Z".utf8))
  #expect(progress.next(now: now, schedule).text == fixture["next"])
}

/// What the server may have had it may still have, whatever it says to the next attempt.
@Test(arguments: [
  (["sending 1"], false, true),
  (["sending 1", "deferred 1 2026-11-21T12:00:21Z 451 later"], false, false),
  (["sending 1", "unanswered 1 2026-11-21T12:00:21Z broken"], true, false),
  (["sending 1", "unanswered 1 2026-11-21T12:00:21Z broken", "refused 1 554 twice"], true, false),
  (["sending 1", "sending 1", "deferred 1 2026-11-21T12:00:21Z 451 later"], true, false),
  (["sending 1", "unanswered 1 2026-11-21T12:00:21Z broken", "sending 1"], true, true),
  (["sending 1", "released", "refused 1 554 twice"], true, false),
])
func anUnansweredAttemptIsRemembered(_ lines: [String], _ mayBe: Bool, _ isCut: Bool) throws {
  let log = lines.map { "2026-11-21T11:59:00Z \($0)\n" }.joined()
  let progress = Progress(try .sample(hasCopy: false), try LogRecord.parse(Array(log.utf8)))
  #expect(progress.mayHaveBeenTaken == mayBe)
  #expect(progress.cutShort.isEmpty != isCut)
}

@Test func recordsAreReadAndWrittenAlike() throws {
  for fixture in try Fixtures.load("Fixtures/progress.txt") where !fixture.has("torn") {
    let log = fixture.lines("log").map { $0 + "\n" }.joined()
    let records = try LogRecord.parse(Array(log.utf8))
    #expect(String(decoding: records.flatMap(\.line), as: UTF8.self) == log)
  }
  let odd = LogRecord(.accepted([0, 11], Array("250 \r\n100% \u{e4}".utf8)), at: 0)
  #expect(odd.line == Array("1970-01-01T00:00:00Z accepted 1,12 250 %0D%0A100%25 \u{e4}\n".utf8))
  #expect(try LogRecord.parse(odd.line) == [odd])
}

@Test func linesThatAreNotUnderstoodAreErrors() {
  let good = "2026-11-21T11:59:00Z sending 1\n"
  for line in [
    "", "sending 1", "2026-11-21T11:59:00Z", "2026-11-21T11:59:00Z sending",
    "2026-11-21T11:59:00Z sending 0", "2026-11-21T11:59:00Z sending 1,,2",
    "2026-11-21T11:59:00Z deferred 1 450 later", "2026-11-21T11:59:00Z flown 1",
    "2026-11-21T11:59:00Z split 1 x",
    "2026-11-21T11:59:00Z done Sent", "2026-11-21T11:59:00Z begun 1,2 Sent",
    "2026-11-21T11:59:00Z postponed 1 NO", "2026-11-21T11:59:00Z copying Sent",
    "2026-11-21T11:59:00Z discarded somewhere", "\0\0\0",
  ] {
    #expect(throws: LogError(line: 2), "\(line)") {
      try LogRecord.parse(Array("\(good)\(line)\n\(good)".utf8))
    }
  }
}

@Test func delaysGrowUpToAQuarterOfAnHour() {
  let schedule = RetrySchedule.standard
  #expect((0...8).map(schedule.delay) == [0, 30, 60, 120, 240, 480, 900, 900, 900])
}

@Test func blocksAreReadAndWrittenAlike() throws {
  let digest: [UInt8] = Array("abc".utf8)
  let words = Array("connection\nrefused".utf8)
  let first = SendingBlock(.unreachable, words: words, digest: digest, now: 1000, after: nil)
  let second = SendingBlock(.unreachable, words: words, digest: digest, now: 1100, after: first)
  #expect(SendingBlock(second.octets) == second)
  #expect((first.until, second.until) == (1030, 1160))
  #expect((second.since, second.failures) == (1000, 2))
  #expect(second.holds(now: 1159, digest: digest))
  #expect(!second.holds(now: 1160, digest: digest))
  #expect(!second.holds(now: 1101, digest: []), "the account has changed")
  #expect(!second.holds(now: -1_000_000, digest: digest), "the clock was set back")
  let secret = SendingBlock(.secret, words: words, digest: digest, now: 1100, after: second)
  #expect((secret.failures, secret.until) == (1, 1100 + 6 * 3600))
  #expect(secret.holds(now: 1101, digest: digest) && !secret.holds(now: 1000, digest: digest))
  // The longest wait of each reason tells a clock that was ahead.
  #expect(second.holds(now: 1160 - 900, digest: digest))
  #expect(!second.holds(now: 1160 - 901, digest: digest))
  var schedule = RetrySchedule.standard
  schedule.delays = [3600]
  #expect(second.holds(now: 1160 - 901, digest: digest, schedule))
  #expect(SendingBlock(Array("rubbish".utf8)) == nil)
  #expect(SendingBlock([]) == nil)
}

extension Action {
  /// Moves of three messages.
  static var change: Action {
    let requests = (1...3).map { uid in
      MessageRequest(
        .move(to: Array("Archive".utf8)),
        of: MessageReference(
          mailbox: Array("INBOX".utf8),
          validity: 17,
          uid: uid,
          baseName: nil,
          messageID: nil
        )
      )
    }
    return .change(requests)
  }

  static func sample(hasCopy: Bool, agent: String? = nil) throws -> Action {
    let recipients = try ["a@x.test", "b@x.test", "c@x.test"].map {
      Recipient(try EnvelopeAddress(Array($0.utf8)))
    }
    let envelope = Envelope(from: nil, to: recipients)
    return .send(
      Sending(
        envelope,
        messageID: nil,
        copy: hasCopy ? SentCopy() : nil,
        agent: agent.map { Array($0.utf8) }
      )
    )
  }
}

extension NextStep {
  fileprivate var text: String {
    switch self {
    case .send(let numbers): "send \(list(numbers))"
    case .perform(let numbers): "perform \(list(numbers))"
    case .split(let numbers): "split \(list(numbers))"
    case .giveUp(let numbers, let words):
      "give up \(list(numbers)): \(String(decoding: words, as: UTF8.self))"
    case .fail: "fail"
    case .hold: "hold"
    case .wait(let until): "wait \(String(decoding: Timestamp.octets(until), as: UTF8.self))"
    case .finish: "finish"
    }
  }

  private func list(_ numbers: [Int]) -> String {
    numbers.map { "\($0 + 1)" }.joined(separator: ",")
  }
}
