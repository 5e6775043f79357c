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
}
