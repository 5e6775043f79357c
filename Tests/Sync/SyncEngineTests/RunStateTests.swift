import MailModel
import MailStore
import Mailboxes
import Octets
@testable import SyncEngine
import SyncPlan
import SyncState
import Testing

@Suite("What is noted of a run")
struct RunStateTests {
  private static func entry(_ name: [UInt8], isComplete: Bool) -> Summary.Entry {
    Summary.Entry(
      header: MailboxHeader(mailbox: name, directory: name, id: 1, validity: 17),
      messages: 3,
      isComplete: isComplete,
      fingerprints: nil
    )
  }

  @Test("runs that leave something undone are counted up to a limit")
  func counting() {
    let (open, done) = (Array("INBOX".utf8), Array("Work".utf8))
    let entries = [
      open: Self.entry(open, isComplete: false), done: Self.entry(done, isComplete: true),
    ]
    var summary = Summary(root: 7, entries: entries)
    for runs in [2, 3, 4, 5, 5] {
      let runState = RunState(AccountReport(account: "work"), summary)
      for entry in entries.values {
        runState.add(MailboxReport(mailbox: "m"), entry, deletions: 0)
      }
      summary = runState.current.summary
      #expect(summary.entries[open]?.unfinishedRuns == runs)
      #expect(summary.entries[done]?.isComplete == true)
    }
  }

  private static let inbox = Array("INBOX".utf8)

  /// What a run leaves that found the mailbox up to `uidNext`, and told up to `listed` before it was opened.
  private static func ran(
    _ summary: Summary,
    to uidNext: UInt32,
    listed: UInt32 = 1,
    validity: UInt32 = 17,
    isWhole: Bool = true,
    isComplete: Bool = true,
    moving moves: [AccountFacts.MovedMessage] = []
  ) -> Summary {
    let runState = RunState(AccountReport(account: "work"), summary)
    let facts = AccountFacts()
    facts.moved(moves, to: MailboxName(wire: inbox))
    let status = ServerMailbox.Status(
      identity: MailboxIdentity(validity: 17, serverID: []),
      uidNext: listed,
      messages: 3
    )
    let name = MailboxName(wire: inbox)
    let mailbox = ServerMailbox(name: name, delimiter: nil, status: status)
    facts.found(ServerListing([mailbox]), hasUnseen: false, leavesFolders: false)
    var entry = entry(inbox, isComplete: isComplete)
    entry.header.validity = validity
    entry.header.uidNext = uidNext
    runState.add(MailboxReport(mailbox: "INBOX"), entry, deletions: 0)
    runState.noteLook(at: entry, hasOpenLosses: !isComplete)
    runState.noteRecent(isWhole: isWhole, facts)
    return runState.current.summary
  }

  private static func recent(_ summary: Summary) -> RecentMessages? {
    summary.entries[inbox]?.recent
  }

  @Test("what a run of all mailboxes fetched is recent, and what runs of some fetched since")
  func recentMessages() {
    var summary = Self.ran(Summary(root: 7), to: 10)
    #expect(Self.recent(summary)?.first == 1)
    summary = Self.ran(summary, to: 20)
    #expect(Self.recent(summary)?.first == 10)
    summary = Self.ran(summary, to: 30, isWhole: false)
    #expect(Self.recent(summary)?.first == 10)
    summary = Self.ran(summary, to: 40, isComplete: false)
    #expect(Self.recent(summary)?.first == 10, "what is undone may be a message that was moved")
    summary = Self.ran(summary, to: 40)
    #expect(Self.recent(summary)?.first == 40)
    let runState = RunState(AccountReport(account: "work"), summary)
    #expect(runState.recent(in: 1, validity: 17)?.first == 40)
    #expect(runState.recent(in: 1, validity: 18) == nil)
    #expect(Self.ran(summary, to: 40) == summary, "where nothing happened nothing is written")
    summary = Self.ran(summary, to: 5, validity: 18)
    #expect(Self.recent(summary)?.first == 1)
  }

  @Test("what was listed before a mailbox was opened was there beside what that had")
  func listedMessages() {
    var other = RecentMessages()
    other.isSeen = true
    var summary = Self.ran(Summary(root: 7), to: 12, listed: 10)
    #expect(Self.recent(summary)?.isSeen == true)
    #expect(Self.recent(summary)?.isLeftOut == false)
    #expect(Self.recent(summary)?.mayHave(9, from: other) == false)
    #expect(Self.recent(summary)?.mayHave(10, from: other) == true)
    #expect(Self.recent(summary)?.mayHave(9, from: RecentMessages()) == true)
    summary = Self.ran(Summary(root: 7), to: 12, listed: 10, validity: 18)
    #expect(Self.recent(summary)?.mayHave(9, from: other) == true, "another mailbox was listed")
  }

  @Test("what a run moved itself came from nowhere else")
  func movedMessages() {
    var summary = Self.ran(Self.ran(Summary(root: 7), to: 10), to: 10)
    let moves = [(9, 10), (10, 11)].map { (uid: UInt32, newUID: UInt32) in
      AccountFacts.MovedMessage(source: 1, validity: 17, uid: uid, newUID: newUID)
    }
    summary = Self.ran(summary, to: 12, moving: moves)
    #expect(Self.recent(summary)?.sent == [10], "the other one was new where it came from")
    #expect(Self.recent(summary)?.mayHave(10, from: RecentMessages()) == false)
    #expect(Self.recent(summary)?.mayHave(11, from: RecentMessages()) == true)
    summary = Self.ran(summary, to: 12)
    #expect(Self.recent(summary)?.sent == [])
  }
}
