import Configuration
import Glibc
import Platform
import SMTP
import Spool
import SpoolPlan
import Submission
import TestSupport
import Testing

/// The copy of what was sent: made after the first acceptance, never the reason for a second message.
@Suite struct StepTests {
  private let place: TempDirectory
  private let sink: SMTPSink
  private let outbox: Outbox
  private let sender: Sender

  init() throws {
    place = try TempDirectory()
    sink = try SMTPSink()
    outbox = Outbox(root: Path(place.path), user: getuid())
    let file = try place.write(
      "[account.work]\nsmtp = \"smtp+plain://127.0.0.1:\(sink.port)\"\n",
      to: "config.toml",
      mode: 0o600
    )
    sender = try #require(try Configuration.load(explicit: Path(file)).senders.first)
  }

  private var spool: Spool { outbox.spool(of: "work") }

  @discardableResult
  private func enqueue(_ recipients: String...) throws -> EntryID {
    try spool.prepare(user: getuid())
    let envelope = Envelope(
      from: nil,
      to: try recipients.map { Recipient(try EnvelopeAddress(Array($0.utf8))) }
    )
    let sending = Sending(envelope, messageID: nil, copy: SentCopy())
    return try spool.enqueue(.send(sending), message: Array("Subject: a\n\n".utf8)).id
  }

  /// Runs the queue with a mailbox that answers each time as told, and returns what it was asked.
  @discardableResult
  private func flush(_ answers: StepResult..., isForced: Bool = false) throws -> [String] {
    var options = QueueOptions()
    options.isForced = isForced
    let mailbox = Mailbox(answers)
    _ = try outbox.flush(
      "work",
      by: sender,
      options: options,
      performer: mailbox,
      interruption: Interruption(),
      report: { _ in }
    )
    return mailbox.asked
  }

  @Test func theCopyFollowsTheMessage() throws {
    let id = try enqueue("a@x.test")
    #expect(try flush(.done([])) == ["\(id) new"])
    #expect(sink.messages.count == 1)
    #expect(try spool.entries(.queue) == [] && spool.entries(.failed) == [])
  }

  @Test func withoutAMailboxTheCopyWaitsAndTheMessageGoesOnce() throws {
    let id = try enqueue("a@x.test")
    _ = try outbox.flush("work", by: sender, interruption: Interruption(), report: { _ in })
    _ = try outbox.flush("work", by: sender, interruption: Interruption(), report: { _ in })
    #expect(sink.messages.count == 1)
    #expect(try spool.entries(.queue) == [id])
    #expect(try flush(.unreachable) == ["\(id) new"])
    #expect(
      try flush(.done([])) == ["\(id) begun"],
      "an attempt that did not end has left its note"
    )
    #expect(sink.messages.count == 1)
    #expect(try spool.entries(.queue) == [])
  }

  @Test func aCopyThatIsRefusedForNowIsTriedAgainLater() throws {
    let id = try enqueue("a@x.test")
    #expect(try flush(.postponed(Array("NO over quota".utf8))) == ["\(id) new"])
    #expect(try flush() == [], "not yet")
    #expect(try flush(.done([]), isForced: true) == ["\(id) begun"])
    #expect(sink.messages.count == 1)
    #expect(try spool.entries(.queue) == [])
  }

  @Test func aCopyThatIsRefusedForGoodNeedsAPerson() throws {
    let id = try enqueue("a@x.test")
    try flush(.rejected(Array("NO such mailbox".utf8)))
    #expect(try spool.entries(.failed) == [id])
    let item = try #require(try outbox.items(of: ["work"], matching: id.octets).first)
    try outbox.retry(item)
    #expect(try flush(.done([])) == ["\(id) begun"], "part of it may have been done")
    #expect(sink.messages.count == 1)
    #expect(try spool.entries(.queue) == [] && spool.entries(.failed) == [])
  }

  @Test func noCopyOfWhatNoRecipientHas() throws {
    let id = try enqueue("p550@x.test")
    #expect(try flush(.done([])) == [])
    #expect(try spool.entries(.failed) == [id])
  }

  @Test func theCopyDoesNotWaitForThoseWhoAreLate() throws {
    let id = try enqueue("a@x.test", "t450@x.test", "p550@x.test")
    #expect(try flush(.done([])) == ["\(id) new"])
    #expect(try spool.entries(.queue) == [id])
    #expect(try spool.entries(.failed).count == 1)
    #expect(try flush() == [])
    #expect(sink.messages.map(\.to) == [["<a@x.test>"]])
  }
}

/// A mailbox that notes what it is asked, and answers as it was told.
private final class Mailbox: StepPerformer {
  private(set) var asked: [String] = []
  private var answers: [StepResult]

  init(_ answers: [StepResult]) { self.answers = answers }

  func perform(
    _ steps: [DueStep],
    of stored: StoredEntry,
    _ stepState: StepState
  ) throws(SpoolError) {
    for step in steps {
      asked.append("\(stored.entry.id) \(step.begun == nil ? "new" : "begun")")
      try stepState.begin(step, Array("Sent 17 4".utf8))
      try stepState.recordResult(step, answers.isEmpty ? .unreachable : answers.removeFirst())
    }
  }
}
