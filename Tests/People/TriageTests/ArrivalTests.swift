import MailModel
import Platform
import SpoolPlan
import SyncPlan
import SyncState
import TestSupport
import Testing

@testable import Triage

/// Messages that came, as rules know them before they look at files.
@Suite struct ArrivalTests {
  @Test(arguments: try Fixtures.load("Fixtures/arrivals.txt"))
  func list(_ fixture: Fixture) throws {
    let hasEnd = !fixture.body.isEmpty && !fixture.has("cut")
    let list = ArrivalList(Array((fixture.body + (hasEnd ? "\n" : "")).utf8))
    let since = list.map { String(decoding: Timestamp.octets($0.since), as: UTF8.self) }
    #expect(since ?? "damaged" == fixture["since"])
    let open = list?.open.map { arrival in
      switch arrival {
      case .fetched(let mailbox, let validity, let uid):
        "\(String(mailbox, radix: 16)) \(validity) \(uid)"
      case .delivered(let folder, let base):
        "/\(String(decoding: folder, as: UTF8.self)) \(String(decoding: base, as: UTF8.self))"
      }
    }
    #expect(open ?? [] == fixture.lines("open"))
  }

  @Test func whatIsWrittenIsRead() throws {
    let arrivals = [(1, 2, 3), (1, 2, .max), (.max, 2, 3), (1, 3, 3)].map {
      Arrival.fetched(mailbox: $0.0, validity: $0.1, uid: $0.2)
    }
    let head = ArrivalList.head(since: 1_700_000_000)
    let written = head + ArrivalList.came(arrivals)
    let list = try #require(ArrivalList(written))
    #expect(Set(list.open) == Set(arrivals) && list.since == 1_700_000_000)
    #expect(list.headLength == head.count && list.wholeLength == written.count)
    #expect(ArrivalList(written + ArrivalList.done(arrivals))?.open == [])
    #expect(ArrivalList.came([]) == [])
    let files = [("", "a"), ("", "b"), (".Li sts", "%a b"), ("x\n", "c")].map {
      Arrival.delivered(folder: Array($0.0.utf8), base: Array($0.1.utf8))
    }
    let delivered = head + ArrivalList.came(files)
    #expect(Set(ArrivalList(delivered)?.open ?? []) == Set(files))
    let seen = ArrivalList(delivered + ArrivalList.done(files))
    #expect(seen?.open == [] && seen?.seen == Set(files))
  }

  @Test(arguments: try Fixtures.load("Fixtures/arrived.txt"))
  func arrived(_ fixture: Fixture) throws {
    let day: Int64 = 86_400
    let now = Int64(fixture["day"] ?? "200").map { $0 * day } ?? 0
    let batch = fixture.lines().enumerated().map { number, line in
      let words = line.split(separator: " ").map(String.init)
      let flags = words[2].utf8.compactMap { SystemFlags(character: $0) }
      let message = RemoteMessage(
        uid: UInt32(number + 1),
        flags: MessageFlags(
          flags.reduce([]) { $0.union($1) },
          keywords: words.dropFirst(3).map { Array($0.utf8) }
        ),
        date: Int64(words[1]).map { $0 * day }
      )
      return ArrivingMessages(
        mailbox: 1,
        validity: 2,
        role: MailboxRole(rawValue: words[0]),
        messages: [message]
      )
    }
    let arrivals = ArrivalTest(since: 100 * day, now: now).arrivals(batch)
    #expect(arrivals.map(Self.uid).joined(separator: " ") == fixture["arrived"] ?? "")
  }

  private static func uid(_ arrival: Arrival) -> String {
    if case .fetched(_, _, let uid) = arrival { "\(uid)" } else { "none" }
  }

  // MARK: Records

  private static let record = BaseRecord(
    uid: 5,
    name: Array("five".utf8),
    flags: MessageFlags(.seen),
    size: 100,
    date: nil,
    identity: nil,
    completeness: .whole
  )

  private static func standing(
    of uid: UInt32,
    validity: UInt32 = 17,
    uidNext: UInt32? = 9,
    flags: MessageFlags = MessageFlags()
  ) -> Arrival.Standing {
    var state = MailboxState(
      MailboxHeader(
        mailbox: Array("INBOX".utf8),
        directory: Array("inbox".utf8),
        id: 1,
        validity: 17,
        uidNext: uidNext
      )
    )
    var record = record
    record.flags = flags
    state.apply(.message(record))
    return Arrival.fetched(mailbox: 1, validity: validity, uid: uid).standing(in: state)
  }

  @Test func recordsSayHowAMessageStands() {
    let there = Arrival.Standing.there(folder: Array("inbox".utf8), base: Array("five".utf8))
    #expect(Self.standing(of: 5) == there)
    #expect(Self.standing(of: 5, flags: MessageFlags([.seen, .flagged])) == there)
    #expect(Self.standing(of: 5, validity: 18) == .over)
    #expect(Self.standing(of: 5, flags: MessageFlags(.draft)) == .over)
    let sorted = MessageFlags(keywords: [Array("$MagnumSorted".utf8)])
    #expect(Self.standing(of: 5, flags: sorted) == .over)
    // It was looked at, and is gone; or its fetch was not recorded.
    #expect(Self.standing(of: 8) == .over)
    #expect(Self.standing(of: 9) == .pending)
    #expect(Self.standing(of: 8, uidNext: nil) == .over)
    #expect(Arrival.fetched(mailbox: 1, validity: 17, uid: 5).standing(in: nil) == .over)
    let (folder, base) = (Array("inbox".utf8), Array("five".utf8))
    #expect(Arrival.delivered(folder: folder, base: base).standing(in: nil) == there)
  }

  // MARK: Files

  @Test func equalFilesHaveTheSameOctets() throws {
    let folder = try TempDirectory("equal")
    let long = [UInt8](repeating: 7, count: (1 << 20) + 1)
    for (name, octets) in [
      ("a", long), ("b", long), ("c", long.dropLast() + [8]), ("d", Array(long.dropLast())),
      ("e", []),
    ] {
      try folder.write(octets, to: name)
    }
    func areEqual(_ one: String, _ other: String) throws -> Bool {
      try EqualFiles.areEqual(Path(folder[one]), Path(folder[other]))
    }
    #expect(try areEqual("a", "b") && areEqual("e", "e"))
    #expect(try !areEqual("a", "c") && !areEqual("a", "d") && !areEqual("d", "a"))
  }
}
