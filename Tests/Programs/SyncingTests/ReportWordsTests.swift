import Folders
import SyncEngine
import TestSupport
import Testing

@testable import Syncing

/// What a run did, in words.
@Suite struct ReportWordsTests {
  private let counts: [String: WritableKeyPath<MailboxReport, Int>] = [
    "fetched": \.fetched, "new": \.new, "partial": \.partial, "completed": \.completed,
    "flags": \.flags, "removed": \.removed, "relocated": \.relocated, "stored": \.stored,
    "uploaded": \.uploaded, "moved": \.moved, "copied": \.copied, "trashed": \.trashed,
    "deleted": \.deleted, "rematched": \.rematched, "detached": \.detached, "failed": \.failed,
  ]

  @Test(arguments: try Fixtures.load("Fixtures/changes.txt"))
  func changes(_ fixture: Fixture) throws {
    var report = MailboxReport(mailbox: "INBOX")
    for line in fixture.lines() {
      let words = line.split(separator: " ").map { "\($0)" }
      let count = try #require(Int(words[1]))
      if words[0] == "octets" {
        report.octets = UInt64(count)
      } else {
        report[keyPath: try #require(counts[words[0]], "\(line)")] = count
      }
    }
    #expect(ReportWords.changes(report) == fixture["words"])
  }

  @Test(
    arguments: [
      (1, 0, 7200, "1 message left; continues at 00:00 UTC, in 2 h"),
      (2, 0, 7200, "2 messages left; continues at 00:00 UTC, in 2 h"),
      (2, 1500, 600, "2 messages (1.5 kB) left; continues at 00:00 UTC, in 10 min"),
      (2, 1500, 0, "2 messages (1.5 kB) left; continues now"),
      (2, 1500, -5, "2 messages (1.5 kB) left; continues now"),
    ] as [(UInt64, UInt64, Int64, String)]
  )
  func whatIsLeft(_ messages: UInt64, _ octets: UInt64, _ seconds: Int64, _ words: String) {
    let now: Int64 = 1_795_384_893
    #expect(ReportWords.left(messages, octets, until: now + seconds, now: now) == words)
  }

  @Test(
    arguments: [
      (.made(.server), "made on the server", "make on the server"),
      (.made(.local), "made here", "make here"),
      (
        .renamed(.server, from: "Old"), "renamed on the server, was Old",
        "rename on the server, was Old"
      ),
      (.renamed(.local, from: "Old"), "renamed here, was Old", "rename here, was Old"),
      (.removed(.server), "removed on the server", "remove on the server"),
      (.removed(.local), "removed here", "remove here"),
    ] as [(FolderChange, String, String)]
  )
  func folders(_ change: FolderChange, _ done: String, _ planned: String) {
    #expect(FolderChangeWords.text(change, isDone: true) == done)
    #expect(FolderChangeWords.text(change, isDone: false) == planned)
  }
}
