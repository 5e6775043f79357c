import MailModel
import RestorePlan
import SyncPlan
import TestSupport
import Testing

@Suite("Files of a restore and messages")
struct MatchTests {
  @Test("matches", arguments: try Fixtures.load("Fixtures/matches.txt"))
  func match(_ fixture: Fixture) throws {
    let matcher = RestoreMatcher(
      try fixture.lines("files").map(Self.file),
      try Self.messages(fixture),
      try Self.records(fixture),
      holdsDrafts: fixture.lines().contains("drafts")
    )
    #expect(matcher.partners.map(Self.text) == fixture.lines("matches"))
    #expect(Self.text(matcher.identifiersWanted) == fixture.lines("identifiers"))
    #expect(Self.text(matcher.contentsWanted) == fixture.lines("contents"))
  }

  private static func text(_ partner: RestoreMatcher.Partner?) -> String {
    partner.map { "\($0.uid) \($0.evidence)" } ?? "-"
  }

  private static func text(_ uids: [UInt32]) -> [String] {
    uids.isEmpty ? [] : [uids.map { "\($0)" }.joined(separator: " ")]
  }

  private static func file(_ line: String) throws -> RestoredFile {
    let words = line.split(separator: " ").map { "\($0)" }
    let content = try content(words[1])
    let flags = words[0].utf8.compactMap { SystemFlags(character: $0) }
    return RestoredFile(
      digest: content.digest,
      identity: content.identity,
      headerKey: 0,
      wireSize: 1,
      date: 1,
      flags: MessageFlags(SystemFlags(flags))
    )
  }

  private static func messages(_ fixture: Fixture) throws -> PresentMessages {
    var messages = PresentMessages([])
    for line in fixture.lines("messages") {
      let words = line.split(separator: " ").map { "\($0)" }
      let (uid, content) = (try number(words[0]), try content(words[1]))
      messages.uids.append(uid)
      if !words.contains("unknown") { messages.identifiers[uid] = content.identity.messageID }
      if words.count == 2 { messages.contents[uid] = content }
    }
    return messages
  }

  private static func records(_ fixture: Fixture) throws -> RestoreRecords.Mailbox {
    var records = RestoreRecords.Mailbox()
    for line in fixture.lines("records") {
      let words = line.split(separator: " ").map { "\($0)" }
      records.applyLine(.there(try content(words[1]).digest, uid: try number(words[0]), .same))
    }
    return records
  }

  private static func content(_ text: String) throws -> WireContent {
    let parts = try text.split(separator: "/").map { UInt64(try number(String($0))) }
    let identity = ContentIdentity(
      messageID: parts[0],
      bodyHigh: parts[2],
      bodyLow: parts[2],
      header: parts[1]
    )
    return WireContent(digest: try digest(UInt8(parts[3])), identity: identity)
  }

  private static func number(_ text: String) throws -> UInt32 {
    guard let number = UInt32(text) else { throw HarnessError(text) }
    return number
  }
}

/// A digest that stands for a number.
func digest(_ number: UInt8) throws -> WireDigest {
  try #require(WireDigest([UInt8](repeating: number, count: 32)))
}
