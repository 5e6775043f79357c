import IMAP
import MailModel
import Testing

@testable import IMAPStore

/// What NOTIFY says of mailboxes as it begins, compared with the list before it.
@Suite struct StatusMemoryTests {
  /// Statuses as `NAME:MESSAGES:UIDNEXT:HIGHESTMODSEQ`, "-" where one is not told.
  private func statuses(_ text: String) -> [MailboxName: MailboxStatus] {
    let all = text.split(separator: " ").map { word in
      let parts = word.split(separator: ":")
      var status = MailboxStatus(name: name(String(parts[0])))
      status.messages = UInt32(parts[1])
      status.uidNext = UInt32(parts[2])
      status.highestModSequence = UInt64(parts[3])
      return status
    }
    return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  }

  private func name(_ text: String) -> MailboxName { MailboxName(wire: Array(text.utf8)) }

  /// Lists, what NOTIFY says after each, and whether that tells of a change.
  @Test(arguments: [
    [("A:1:2:3 B:1:1:1", "A:1:2:3 B:1:1:1", false)],
    // The one that is open is not told of.
    [("INBOX:1:2:3 A:1:1:1", "A:1:1:1", false)],
    // What one of both does not tell is not compared.
    [("A:1:2:-", "A:1:2:3", false), ("A:-:2:3", "A:1:2:-", false)],
    [("A:1:2:3", "A:2:3:3", true), ("A:2:3:3", "A:2:3:3", false)],
    [("A:1:2:3", "A:1:2:4", true)],
    [("A:1:2:3", "A:1:2:3 B:0:1:1", true)],
    [("A:1:2:3 B:0:1:1", "A:1:2:3", true), ("A:1:2:3", "A:1:2:3", false)],
    // The server counts otherwise in both: one sync finds nothing to do, and no other is made for it.
    [("A:1:2:3", "A:1:2:9", true), ("A:1:2:3", "A:1:2:9", false), ("A:1:2:3", "A:1:2:8", true)],
    // Shared mailboxes are listed and not told of.
    [("A:1:2:3 Shared:1:1:1", "A:1:2:3", true), ("A:1:2:3 Shared:2:2:2", "A:1:2:3", false)],
    // What changed and changed back.
    [("A:1:2:3", "A:2:2:4", true), ("A:2:2:4", "A:1:2:5", true), ("A:1:2:5", "A:1:2:5", false)],
  ])
  func changes(_ turns: [(list: String, told: String, isChange: Bool)]) {
    var memory = StatusMemory()
    for turn in turns {
      memory.list(statuses(turn.list))
      #expect(memory.isChanged(statuses(turn.told), besides: name("INBOX")) == turn.isChange)
    }
  }
}
