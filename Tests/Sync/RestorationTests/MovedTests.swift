import MemoryStore
import Platform
import TestSupport
import Testing

@testable import Restoration

/// A restore does not upload again what another client moved to another mailbox.
@Suite struct MovedTests {
  private let stage: RestoreStage

  init() throws {
    stage = try RestoreStage()
    stage.content.make("Archive")
    stage.content.make("Trash", use: .trash)
  }

  private func message(_ number: Int) -> String {
    RestoreStage.message("\(number)@x", "m\(number)")
  }

  private func count(_ mailbox: String) -> Int {
    stage.content.mailboxes[mailbox]?.messages.count ?? 0
  }

  /// Restores three messages to INBOX, and has another client move the first to a mailbox.
  private func restoreAndMove(to mailbox: String) throws {
    for number in 1...3 { try stage.add("\(number):2,S", message(number)) }
    try #require(stage.run().counts.uploaded == 3)
    let uid = stage.content.mailboxes["INBOX"]?.messages.keys.min() ?? 0
    try #require(stage.content.transfer(uid, from: "INBOX", to: mailbox, isMove: true) != nil)
  }

  @Test(arguments: [true, false])
  func whatWasMovedIsNotUploaded(_ isDryRun: Bool) throws {
    try restoreAndMove(to: "Archive")
    let report = try stage.run(isDryRun: isDryRun)
    #expect(report.isComplete && report.failure == nil)
    #expect(report.counts.uploaded == 0 && report.counts.present == 2)
    #expect(report.counts.elsewhere == 1)
    #expect(count("INBOX") == 2 && count("Archive") == 1)
  }

  /// What was removed is what a restore brings back.
  @Test func whatWasRemovedIsUploaded() throws {
    try restoreAndMove(to: "Trash")
    let report = try stage.run()
    #expect(report.counts.uploaded == 1 && report.counts.elsewhere == 0)
    #expect(count("INBOX") == 3)
  }

  /// A message that a file of the Maildir stands for where it is belongs to that file.
  @Test func twoFilesNeedTwoMessages() throws {
    try restoreAndMove(to: "Archive")
    try stage.add("1:2,S", message(1), to: "Archive")
    let report = try stage.run()
    #expect(report.counts.uploaded == 1 && report.counts.elsewhere == 0)
    #expect(count("INBOX") == 3 && count("Archive") == 1)
  }

  /// The same Message-ID with another text is another message.
  @Test func anotherTextIsAnotherMessage() throws {
    try stage.add("1:2,S", RestoreStage.message("1@x", "m1", body: "other"))
    let octets = message(1).utf8.flatMap { $0 == 10 ? [13, 10] : [$0] }
    _ = stage.content.add(octets, flags: [], date: 1_500_000_000, to: "Archive")
    let report = try stage.run()
    #expect(report.counts.uploaded == 1 && report.counts.elsewhere == 0)
  }

  /// What goes below a mailbox of its own is there as a whole.
  @Test func belowAMailboxAllIsUploaded() throws {
    try restoreAndMove(to: "Archive")
    let report = try stage.run(into: ["Backup"])
    #expect(report.counts.uploaded == 3 && report.counts.elsewhere == 0)
  }
}
