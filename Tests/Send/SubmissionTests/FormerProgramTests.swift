import Glibc
import Octets
import Platform
import SMTP
import Spool
import SpoolPlan
import Submission
import TestSupport
import Testing

/// Commands about an entry that a program of before sends meanwhile: it knows no locks of entries, and has that of the spool.
@Suite struct FormerProgramTests {
  private let place: TempDirectory
  private let outbox: Outbox
  private var spool: Spool { outbox.spool(of: "work") }

  init() throws {
    place = try TempDirectory()
    outbox = Outbox(root: Path(place.path), user: getuid())
    try spool.prepare(user: getuid())
  }

  private func enqueue() throws -> QueuedItem {
    let envelope = Envelope(from: nil, to: [Recipient(try EnvelopeAddress(Array("a@x.test".utf8)))])
    let entry = try spool.enqueue(
      .send(Sending(envelope, messageID: nil)),
      message: Array("To: a@x.test\n\n".utf8)
    )
    return try #require(try outbox.item(entry.id))
  }

  /// Sends it, or begins to.
  private func send(_ id: EntryID, toItsEnd: Bool) {
    guard let work = (try? LockedSpool.acquire(spool, timeout: 1)) ?? nil else {
      Issue.record("the spool is locked")
      return
    }
    try? work.recordFact(.sending([0]), of: id, now: 1)
    guard toItsEnd else { return }
    try? work.recordFact(.accepted([0], Array("250 ok".utf8)), of: id, now: 1)
    try? work.retire(id, from: .queue)
    try? work.removeRetiredLogs()
  }

  @Test(arguments: [true, false]) func nothingTakesItsPlace(_ toItsEnd: Bool) throws {
    let item = try enqueue()
    #expect(throws: toItsEnd ? SpoolError.noEntry(item.id) : .entryBusy(item.id)) {
      try outbox.edit(item) { unsent in
        send(item.id, toItsEnd: toItsEnd)
        return (unsent.sending, Array("Subject: new\n\n".utf8))
      }
    }
    #expect(try spool.entries(.queue) == (toItsEnd ? [] : [item.id]))
  }

  @Test(arguments: [true, false]) func noDraftIsMade(_ toItsEnd: Bool) throws {
    let item = try enqueue()
    var isKept = false
    func cancel() throws(SpoolError) -> Cancellation {
      try outbox.cancel(item) { _, _ in
        send(item.id, toItsEnd: toItsEnd)
        return WrittenDraft(name: Array("draft".utf8)) {
          isKept = true
          return true
        }
      }
    }
    if toItsEnd {
      if case .ended = try cancel() {} else { Issue.record("it is taken back") }
    } else {
      #expect(throws: SpoolError.entryBusy(item.id)) { try cancel() }
    }
    #expect(!isKept)
  }
}
