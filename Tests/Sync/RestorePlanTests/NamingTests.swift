import MailModel
import RestorePlan
import SyncPlan
import TestSupport
import Testing

@Suite("Directories of a restore and mailboxes")
struct NamingTests {
  @Test("names", arguments: try Fixtures.load("Fixtures/names.txt"))
  func names(_ fixture: Fixture) throws {
    let prefix = fixture.body.split(separator: "/").map { Array($0.utf8) }
    let naming = RestoreNaming(prefix: prefix, rootLength: 10)
    for line in fixture.lines("names") {
      let words = line.split(separator: " ").map { "\($0)" }
      let directory = words[0] == "." ? [] : Array(words[0].utf8)
      let meaning = naming.meaning(of: directory, isOurs: words[1] == "ours")
      #expect(Self.text(meaning) == words[2], "\(line)")
    }
  }

  private static func text(_ meaning: FolderMeaning) -> String {
    switch meaning {
    case .mailbox(let levels):
      levels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
    case .hidden: "hidden"
    case .noName: "none"
    }
  }

  /// Some servers keep everything below INBOX; what is there already has its name.
  @Test func namesOnServers() throws {
    let cases: [(mailboxes: [String], delimiter: String, levels: [String], names: [String])] = [
      (["INBOX"], ".", ["a", "b"], ["a.b", "INBOX.a.b"]),
      (["INBOX", "INBOX.x"], ".", ["a", "b"], ["INBOX.a.b", "a.b"]),
      (["INBOX", "INBOX.x"], ".", ["INBOX", "b"], ["INBOX.b"]),
      (["INBOX", "INBOX.x"], ".", ["inbox"], ["INBOX"]),
      (["INBOX"], "/", ["Inbox", "b"], ["INBOX/b"]),
      (["INBOX", "INBOX/b"], "/", ["Inbox", "b"], ["INBOX/b"]),
      (["INBOX", "Inbox/b"], "/", ["Inbox", "b"], ["Inbox/b"]),
      (["INBOX"], ".", ["a.b"], []), (["INBOX"], "/", ["a.b"], ["a.b", "INBOX/a.b"]),
      (["INBOX"], "/", ["ü"], ["&APw-", "INBOX/&APw-"]),
    ]
    for (mailboxes, delimiter, levels, names) in cases {
      let naming = MailboxNaming(
        mailboxes.map {
          ServerMailbox(
            name: MailboxName(wire: Array($0.utf8)),
            delimiter: delimiter.utf8.first
          )
        },
        .plain
      )
      let found = RestoreNaming.names(for: levels.map { Array($0.utf8) }, on: naming) { name in
        mailboxes.contains { MailboxName(wire: Array($0.utf8)) == name }
      }
      #expect(found.map { String(decoding: $0.wire, as: UTF8.self) } == names, "\(levels)")
    }
  }
}
