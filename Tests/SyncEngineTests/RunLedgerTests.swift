import Octets
import SyncEvents
import SyncState
import Testing

@testable import SyncEngine

@Suite("What is noted of a run")
struct RunLedgerTests {
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
      let ledger = RunLedger(AccountReport(account: "work"), summary)
      for entry in entries.values {
        ledger.add(MailboxReport(mailbox: "m"), entry, deletions: 0)
      }
      summary = ledger.current.summary
      #expect(summary.entries[open]?.unfinishedRuns == runs)
      #expect(summary.entries[done]?.isComplete == true)
    }
  }

  @Test("what a run of all mailboxes fetched is recent, and what runs of some fetched since")
  func recentMessages() {
    let name = Array("INBOX".utf8)
    func ran(_ summary: Summary, to uidNext: UInt32, validity: UInt32 = 17, isWhole: Bool)
      -> Summary
    {
      let ledger = RunLedger(AccountReport(account: "work"), summary)
      var entry = Self.entry(name, isComplete: true)
      entry.header.validity = validity
      entry.header.uidNext = uidNext
      ledger.add(MailboxReport(mailbox: "INBOX"), entry, deletions: 0)
      ledger.noteRecent(isWhole: isWhole)
      return ledger.current.summary
    }
    var summary = ran(Summary(root: 7), to: 10, isWhole: true)
    #expect(summary.entries[name]?.recentFrom == 1)
    summary = ran(summary, to: 20, isWhole: true)
    #expect(summary.entries[name]?.recentFrom == 10)
    summary = ran(summary, to: 30, isWhole: false)
    #expect(summary.entries[name]?.recentFrom == 10)
    summary = ran(summary, to: 40, isWhole: true)
    #expect(summary.entries[name]?.recentFrom == 30)
    let ledger = RunLedger(AccountReport(account: "work"), summary)
    var header = MailboxHeader(mailbox: name, directory: name, id: 1, validity: 17)
    #expect(ledger.firstRecent(in: header) == 30)
    header.validity = 18
    #expect(ledger.firstRecent(in: header) == 1)
    ledger.noteRecent(isWhole: true)
    #expect(ledger.current.summary == summary, "where nothing happened nothing is written")
    summary = ran(summary, to: 5, validity: 18, isWhole: true)
    #expect(summary.entries[name]?.recentFrom == 1)
  }
}
