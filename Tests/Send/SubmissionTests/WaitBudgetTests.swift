import Configuration
import Glibc
import Platform
import SMTP
import Spool
import SpoolPlan
import TestSupport
import Testing

@testable import Submission

/// How long a slow server is waited for in all.
@Suite struct WaitBudgetTests {
  /// A server that takes nearly a minute for each reply, and one that is as slow as many are.
  @Test func whatIsUsualCostsNothing() {
    let budget = WaitBudget(seconds: 100)
    for _ in 1...1000 {
      budget.spend(19, on: .recipient)
      budget.spend(4, on: .sender)
      budget.spend(29, on: .endOfData)
      budget.spend(60, on: .message, sending: 64 << 10)
    }
    #expect(!budget.isUsedUp && budget.limit(of: .data) == 105)
    budget.spend(59, on: .hello)
    #expect(!budget.isUsedUp && budget.limit(of: .data) == 51)
    budget.spend(59, on: .sender)
    #expect(budget.isUsedUp && budget.limit(of: .data) == 5)
    #expect(budget.limit(of: .recipient) == 20)
  }

  /// One that lets a piece of a message through now and then.
  @Test func aMessageHasToGetOn() {
    let budget = WaitBudget(seconds: 100)
    for _ in 1...2 { budget.spend(59, on: .message, sending: 1) }
    #expect(budget.isUsedUp)
  }

  /// A server that nobody has budget with any more gets no more than the usual time.
  @Test func aReplyIsWaitedForNoLonger() throws {
    let server = try ScriptedServer(greeting: [.lines("220 x")]) { _ in [.stall] }
    let client = try dialer(to: server, budget: WaitBudget(seconds: 0))
    do throws(SubmissionFailure) {
      try client.connect().close()
      Issue.record("connected")
    } catch {
      #expect(FailureText.words(error).what.hasSuffix("port \(server.port) within 5 s"))
    }
  }

  /// Nothing is begun then, nothing counts as tried, and nothing is in the way of the next run.
  @Test func whatIsLeftWaitsForTheNextRun() throws {
    let place = try TempDirectory()
    let sink = try SMTPSink()
    let outbox = Outbox(root: Path(place.path), user: getuid())
    let file = try place.write(
      "[account.work]\nsmtp = \"smtp+plain://127.0.0.1:\(sink.port)\"\n",
      to: "config.toml",
      mode: 0o600
    )
    let sender = try #require(try Configuration.load(explicit: Path(file)).senders.first)
    let spool = outbox.spool(of: "work")
    try spool.prepare(user: getuid())
    let recipients = [Recipient(try EnvelopeAddress(Array("a@x.test".utf8)))]
    let sending = Sending(Envelope(from: nil, to: recipients), messageID: nil)
    for _ in 1...2 {
      _ = try spool.enqueue(.send(sending), message: Array("Subject: a\n\n".utf8))
    }
    func flush(_ budget: WaitBudget) throws -> QueueReport {
      try outbox.flush("work", by: sender, budget: budget, interruption: Interruption()) { _ in
      }
    }
    let used = try flush(WaitBudget(seconds: 0))
    #expect(used.sent == 0 && used.waiting == 2 && used.block == nil && sink.messages.isEmpty)
    let fresh = try flush(WaitBudget(seconds: 60))
    #expect(fresh.sent == 2 && fresh.waiting == 0 && sink.messages.count == 2)
  }
}
