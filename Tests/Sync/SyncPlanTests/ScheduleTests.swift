import MailModel
import SyncPlan
import TestSupport
import Testing

/// What is decided of mailboxes before anything is planned in them.
@Suite struct ScheduleTests {
  @Test(arguments: try Fixtures.load("Fixtures/schedule.txt"))
  func groups(_ fixture: Fixture) throws {
    let candidates = try fixture.lines().map(candidate)
    let groups = Schedule.groups(candidates, batches: fixture.has("batches"))
    let section = fixture.has("batches") ? "batches" : "groups"
    #expect(groups.map(text) == fixture.lines(section))
  }

  private func text(_ group: Schedule.Group) -> String {
    let mailboxes = group.mailboxes.map { "\($0)" }.joined(separator: " ")
    return switch group {
    case .inseparable: mailboxes
    case .batch: "batch \(mailboxes)"
    }
  }

  private func candidate(_ line: String) throws -> Schedule.Candidate {
    let words = line.split(separator: " ").map { "\($0)" }
    func number(after word: String) -> UInt64? {
      words.firstIndex(of: word).flatMap { UInt64(words[$0 + 1]) }
    }
    return Schedule.Candidate(
      mailbox: try #require(UInt64(words[0])),
      needsWork: words.contains("work"),
      hasAbsences: words.contains("absent"),
      mayHaveVanished: words.contains("vanished"),
      sources: Set([number(after: "from")].compactMap(\.self)),
      newMessages: number(after: "new").map { UInt32($0) },
      expected: Int(number(after: "expects") ?? number(after: "new") ?? 0),
      recorded: Int(number(after: "has") ?? 0)
    )
  }

  @Test(arguments: try Fixtures.load("Fixtures/rematch-reasons.txt"))
  func reasonToRematch(_ fixture: Fixture) throws {
    let files = fixture.has("files") ? fixture.lines("files") : []
    let reason = RematchReason(
      base: fixture.has("base") ? try base(fixture.lines("base")) : nil,
      hasFiles: !files.isEmpty,
      isUntrusted: files.contains("damaged record"),
      server: try server(fixture.lines("server"))
    )
    #expect([text(reason)] == fixture.lines("reason"))
  }

  private func text(_ reason: RematchReason?) -> String {
    switch reason {
    case .unknownFiles: "unknown files"
    case .untrustedRecord: "untrusted record"
    case .validityChanged: "validity"
    case .otherMailbox: "other"
    case .serverWentBackwards: "backwards"
    case nil: "trusted"
    }
  }

  private func base(_ lines: [String]) throws -> RematchReason.Base {
    let rows = try lines.filter { $0 != "other message" }.map(numbers)
    let records = rows.dropFirst().map { row in
      BaseRecord(
        uid: UInt32(row[0]),
        name: [],
        flags: .init(),
        size: row[1] == 0 ? nil : row[1],
        date: row[2] == 0 ? nil : Int64(row[2]),
        identity: nil,
        completeness: .whole
      )
    }
    return RematchReason.Base(
      identity: identity(rows[0]),
      uidNext: rows[0][1] == 0 ? nil : UInt32(rows[0][1]),
      modSequence: rows[0][2] == 0 ? nil : rows[0][2],
      highestUID: records.map(\.uid).max(),
      listed: Dictionary(records.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first }),
      hasOtherMessage: lines.contains("other message")
    )
  }

  private func server(_ lines: [String]) throws -> RematchReason.Server {
    let rows = try lines.map(numbers)
    return RematchReason.Server(
      identity: identity(rows[0]),
      uidNext: rows[0][1] == 0 ? nil : UInt32(rows[0][1]),
      modSequence: rows[0][2] == 0 ? nil : rows[0][2],
      listed: RemoteMessages(
        rows.dropFirst().map { row in
          RemoteMessage(
            uid: UInt32(row[0]),
            flags: .init(),
            size: row[1] == 0 ? nil : row[1],
            date: row[2] == 0 ? nil : Int64(row[2])
          )
        }
      )
    )
  }

  private func identity(_ row: [UInt64]) -> MailboxIdentity {
    MailboxIdentity(
      validity: UInt32(row[0]),
      serverID: row.count > 3 ? [UInt8(row[3])] : []
    )
  }

  private func numbers(_ line: String) throws -> [UInt64] {
    try line.split(separator: " ").map { try #require(UInt64($0)) }
  }
}
