import MailModel
import Platform
import SpoolPlan
import TestSupport
import Testing

@testable import Triage

/// Entries of messages about which something is done later: as files, by the clock, by what lies there.
@Suite struct LaterTests {
  @Test(arguments: try Fixtures.load("Fixtures/later.txt"))
  func decision(_ fixture: Fixture) throws {
    var (entries, files): ([LaterEntry], [SnoozedFile]) = ([], [])
    for line in fixture.lines() {
      let words = line.split(separator: " ").map { $0 == "-" ? [] : Array($0.utf8) }
      if line.hasPrefix("entry ") {
        let due = try #require(Timestamp.seconds(words[2]))
        entries.append(Self.entry(words[1], due, id: words[3], text: words[4]))
      } else {
        files.append(SnoozedFile(base: words[1], id: words[2], text: words[3]))
      }
    }
    for line in fixture.lines("at") {
      let words = line.split(separator: " ").map(String.init)
      let now = try #require(Timestamp.seconds(words[0].utf8))
      let decisions = SnoozeDecision.all(entries, files, now: now).map { decision in
        switch decision {
        case .wait(let file): "wait:\(file + 1)"
        case .wake(let file): "wake:\(file + 1)"
        case .over: "over"
        case .unclear: "unclear"
        }
      }
      #expect(decisions == Array(words.dropFirst()), "\(words[0])")
    }
  }

  private static func entry(
    _ base: [UInt8],
    _ due: Int64,
    id: [UInt8] = Array("id".utf8),
    text: [UInt8] = Array("00ff".utf8)
  ) -> LaterEntry {
    LaterEntry(kind: .snooze, due: due, base: base, id: id, text: text, act: 7)
  }

  @Test(arguments: try Fixtures.load("Fixtures/later-times.txt"))
  func time(_ fixture: Fixture) throws {
    func moment(_ part: String) throws -> Int64 {
      try #require(Timestamp.seconds((fixture[part] ?? "").utf8))
    }
    let (now, change) = try (moment("now"), moment("change"))
    let typed = MomentText.seconds(Array(fixture.body.utf8), now: now) { $0 < change ? 3600 : 7200 }
    let due = try #require(typed)
    let isFine = (try? LaterRequest(.snooze, at: due, now: now, Path("/nowhere"))) != nil
    let text = isFine ? String(decoding: Timestamp.octets(due), as: UTF8.self) : "usage"
    #expect(text == fixture["due"])
  }

  @Test(arguments: try Fixtures.load("Fixtures/reminders.txt"))
  func reminder(_ fixture: Fixture) {
    let replies = fixture.lines().map { line in
      let words = line.split(separator: " ").map(String.init)
      return ThreadReply(
        date: Int64(words[0]),
        isOwn: words.contains("own"),
        isAutomatic: words.contains("automatic"),
        isReference: words.contains("reference")
      )
    }
    let decision = ReminderDecision(sent: Int64(fixture["sent"] ?? "10"), replies)
    #expect("\(decision)" == fixture["is"])
  }

  // MARK: Files

  @Test(arguments: [
    ("a", "id@x.test", "00ff"), ("a b%\n2", "<\u{1b}> ", ""), ("ü", "", "00ff"),
  ])
  func whatIsWrittenIsRead(_ base: String, _ id: String, _ text: String) {
    let (base, id, text) = (Array(base.utf8), Array(id.utf8), Array(text.utf8))
    let entry = Self.entry(base, 1_800_000_000, id: id, text: text)
    #expect(LaterEntry(entry.octets) == entry)
    #expect(LaterEntry(entry.octets + Array("more of a later version\n".utf8)) == entry)
    for count in 0..<entry.octets.count - 1 {
      let cut = LaterEntry(Array(entry.octets.prefix(count)))
      #expect(cut == nil, "\(count)")
    }
  }

  @Test(arguments: [
    "", "magnum-later 2\nkind snooze\ndue 2026-12-24T08:00:00Z\nbase a\nact 1\n",
    "magnum-later 1\nkind other\ndue 2026-12-24T08:00:00Z\nbase a\nact 1\n",
    "magnum-later 1\nkind snooze\ndue tomorrow\nbase a\nact 1\n",
    "magnum-later 1\nkind snooze\ndue 2026-12-24T08:00:00Z\nbase \nact 1\n",
    "magnum-later 1\nkind snooze\ndue 2026-12-24T08:00:00Z\nbase a%\nact 1\n",
    "magnum-later 1\nkind snooze\ndue 2026-12-24T08:00:00Z\nbase a\nact one\n",
  ])
  func whatIsNoEntry(_ text: String) {
    #expect(LaterEntry(Array(text.utf8)) == nil)
  }

  @Test func anEntryTakesThePlaceOfThatOfTheSameMessage() throws {
    let home = try TempDirectory("later")
    let store = LaterStore(of: "work", in: Path(home.path))
    #expect(try store.items() == [])
    let (a, b, c) = (Array("a".utf8), Array("b".utf8), Array("c".utf8))
    try store.write(Self.entry(a, 300))
    try store.write(Self.entry(b, 200, id: b, text: b))
    #expect(try store.items().map(\.entry.due) == [200, 300])
    // A sync gave its file another name.
    try store.write(Self.entry(c, 100))
    #expect(try store.items().map(\.entry.base) == [c, b])
    try store.write(Self.entry(b, 400, id: b, text: c))
    let items = try store.items()
    #expect(items.map(\.entry.due) == [100, 400])
    let reminder = LaterEntry(kind: .remind, due: 50, base: c, id: c, text: [], act: 0)
    try store.write(reminder)
    #expect(try store.items().map(\.entry.due) == [50, 100, 400])
    // What was written anew meanwhile stays.
    try store.write(Self.entry(b, 500, id: b, text: c))
    for item in items { try store.remove(item) }
    #expect(try store.items().map(\.entry.due) == [50, 500])
    try home.write(Array("x".utf8), to: "magnum/later/work/0123456789abcdef")
    #expect(try store.items().count == 2)
  }
}
