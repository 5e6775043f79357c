import Glibc
import Platform
import Spool
import SpoolPlan
import TestSupport
import Testing

/// What waits is sent before anything is fetched, and what failed is reported until something is done about it.
@Suite struct SyncFlushTests {
  private let stage: PostStage

  init() throws { stage = try PostStage() }

  @Test func aSyncSendsWhatWaits() throws {
    #expect(try stage.give("Subject: a\n\n", "--no-try", "a@x.test").code == 0)
    #expect(try stage.sync("--dry-run").code == 0)
    #expect(try stage.sync("--pull").code == 0)
    #expect(stage.sink.messages.isEmpty, "neither of them sends")
    let outcome = try stage.sync("--json")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.lines.contains {
        $0.hasPrefix(
          "{\"version\":1,\"event\":\"outbox\",\"account\":\"work\",\"sent\":1,\"waiting\":0,\"failed\":0}"
        )
      },
      "\(outcome)"
    )
    #expect(stage.sink.messages.count == 1)
    #expect(LocalFolder(stage.maildir, "Sent").bases.count == 1, "the copy comes with the same run")
    #expect(try stage.sync("-v").lines.allSatisfy { !$0.contains("sent") })
  }

  @Test func aServerThatDoesNotSendKeepsNothingFromBeingFetched() throws {
    #expect(try stage.give("Subject: a\n\n", "--no-try", "a@x.test").code == 0)
    try stage.configure(smtp: "smtp+plain://127.0.0.1:\(try Loopback.freePort())")
    try stage.imap.append([Array("Subject: b\r\n\r\n".utf8)])
    let outcome = try stage.sync()
    #expect(outcome.code == 0 && outcome.errors == "", "the spool keeps it: \(outcome)")
    #expect(LocalFolder(stage.maildir, "INBOX").bases.count == 1)
    let verbose = try stage.sync("-v")
    #expect(
      verbose.output.contains("work  1 waiting to be sent: cannot connect to 127.0.0.1 port "),
      "\(verbose)"
    )
    try awayForADay()
    stage.sink.change { $0.authentication = "535 5.7.8 wrong" }
    try stage.configure()
    let refused = try stage.sync()
    #expect(
      refused.code == 77 && refused.errors.contains("not sent: 535 5.7.8 wrong"),
      "\(refused)"
    )
    let again = try stage.sync()
    #expect(again.code == 77 && again.errors == "", "until something is done: \(again)")
    let status = try stage.magnum("status")
    #expect(status.code == 1 && status.output.contains("sending stopped: 535"), "\(status)")
    stage.sink.change { $0.authentication = "235 2.7.0 ok" }
    #expect(try stage.magnum("queue", "flush").code == 0)
    #expect(try stage.sync().code == 0 && stage.magnum("status").code == 0)
  }

  /// What is out of reach for so long may have a wrong name: that would never be noticed.
  private func awayForADay() throws {
    #expect(try stage.magnum("status").code == 0)
    let clock = stage.send.home["clock"]
    try Files.write("100000", to: clock)
    let variables = try Preload.variables(clock: clock)
    let outcome = try stage.sync(variables: variables)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("work: not sent: cannot connect to 127.0.0.1"), "\(outcome)")
    #expect(outcome.errors.contains("hint: magnum accounts test work"), "\(outcome)")
    let status = try stage.magnum("status", variables: variables)
    #expect(
      status.code == 1 && status.output.contains("nothing could be sent for 27 h"),
      "\(status)"
    )
  }

  @Test func whatFailedCannotBeOverlooked() throws {
    #expect(try stage.sync().code == 0)
    #expect(try stage.magnum("status").code == 0)
    let letter = "Message-ID: <a@x.test>\nSubject: hello\n\ntext\n"
    let outcome = try stage.give(letter, "p550@x.test", "b@x.test")
    #expect(outcome.code == 0 && outcome.errors.contains("refused"))
    let entry = try #require(stage.entries("failed").first)
    try expectReports(1)
    let inbox = LocalFolder(stage.maildir, "INBOX")
    let text = String(decoding: try inbox.content(0), as: UTF8.self)
    for words in [
      "\nSubject: Not sent: hello\n", "\nIn-Reply-To: <a@x.test>\n", "\nSubject: hello\n",
      "\n<p550@x.test>: 550 5.1.1 no such user (to RCPT)\n", "\nStatus: 5.1.1\n",
      "magnum queue retry \(entry)",
    ] { #expect(text.contains(words), "\(words): \(text)") }
    #expect(!text.contains("b@x.test"))
    for _ in 1...3 {
      let sync = try stage.sync("work")
      #expect(sync.code == 0, "\(sync)")
      #expect(sync.errors.contains("1 message could not be sent"), "\(sync)")
      try expectReports(1)
      #expect(try stage.sent("INBOX") == [], "it lies only here")
    }
    try expectStatus(failed: 1)
    try Command.shell("rm -r \"$1/.magnum/mailboxes\" \"$1/.magnum/summary\"", [stage.maildir])
    for _ in 1...2 { #expect(try stage.sync().code == 0) }
    #expect(try stage.sent("INBOX") == [], "even where nothing is known of it any more")
    try inbox.remove(0)
    #expect(try stage.sync().code == 0)
    try expectReports(0)
    #expect(try stage.magnum("queue", "retry", entry).code == 0)
    #expect(try stage.sync().code == 1, "it failed once more")
    try expectReports(1)
    #expect(try stage.magnum("queue", "discard", entry).code == 0)
    #expect(try stage.sync().errors == "")
    try expectStatus(failed: 0)
    #expect(stage.sink.messages.count == 1)
  }

  @Test func noReportHasLinesThatCannotBeSent() throws {
    #expect(try stage.sync().code == 0)
    let recipient = "p550\(String(repeating: "x", count: 980))@x.test"
    #expect(try stage.give("Subject: hello\n\ntext\n", recipient).code == 0)
    try expectReports(1)
    let lines = try LocalFolder(stage.maildir, "INBOX").content(0).split(separator: 10)
    #expect(lines.allSatisfy { $0.count <= 998 })
    #expect(lines.count { $0.starts(with: Array("<p550xxx".utf8)) } == 1)
  }

  /// What cron prints becomes mail; where that is what cannot be sent, each line would make the next one.
  @Test func offATerminalWhatCannotBeSentIsReportedOnceADay() throws {
    let clock = stage.send.home["clock"]
    try Files.write("0", to: clock)
    let variables = try Preload.variables(clock: clock)
    #expect(try stage.give("Subject: a\n\n", "p550@x.test").code == 0)
    let first = try stage.sync(variables: variables)
    #expect(first.errors.contains("work: 1 message could not be sent"), "\(first)")
    #expect(try stage.give("Subject: output of cron\n\n", "p550@x.test").code == 0)
    #expect(try stage.sync(variables: variables).errors == "", "another one is the same problem")
    #expect(try stage.magnum("status").output.contains("2 could not be sent"))
    #expect(try stage.sync("work").errors.contains("2 messages could not"), "asked for by name")
    try Files.write("86400", to: clock)
    let tomorrow = try stage.sync(variables: variables)
    #expect(tomorrow.errors.contains("2 messages could not be sent"), "\(tomorrow)")
    #expect(try stage.sync(variables: variables).errors == "")
    for entry in stage.entries("failed") {
      #expect(try stage.magnum("queue", "discard", entry).code == 0)
    }
    #expect(try stage.sync(variables: variables).errors == "")
    #expect(try stage.give("Subject: a\n\n", "p550@x.test").code == 0)
    #expect(try stage.sync(variables: variables).errors.contains("1 message"), "a new problem")
  }

  /// An account that was renamed has its mail in a queue that nothing works on.
  @Test func mailOfAnAccountThatIsGoneIsNamed() throws {
    #expect(try stage.give("Subject: a\n\n", "--no-try", "a@x.test").code == 0)
    let spool = stage.send.home[".local/state/magnum/spool"]
    let (queue, other) = ("\(spool)/work", "\(spool)/former")
    try Command.shell("mv \"$1\" \"$2\"", [queue, other])
    let words = "former: 1 waiting, and the configuration has no such account that can send\n"
    let outcome = try stage.sync()
    #expect(outcome.code == 0 && outcome.errors.contains(words), "\(outcome)")
    #expect(outcome.errors.contains("hint: magnum queue list says which"), "\(outcome)")
    #expect(try stage.sync().errors == "", "said once a day")
    let json = try stage.sync("--json")
    #expect(json.lines.contains { $0.contains("\"account\":\"former\",\"sent\":0,\"waiting\":1") })
    #expect(try !stage.sync("work").errors.contains("former"), "asked for another")
    try Command.shell("rm -r \"$1\"", [other])
    #expect(try stage.sync().errors == "")
  }

  private func expectReports(_ count: Int) throws {
    #expect(LocalFolder(stage.maildir, "INBOX").bases.count == count)
  }

  private func expectStatus(failed: Int) throws {
    let outcome = try stage.magnum("status", "--json")
    #expect(outcome.code == (failed > 0 ? 1 : 0), "\(outcome)")
    #expect(outcome.output.contains("\"failed\":\(failed),"), "\(outcome)")
    #expect(outcome.output.contains("\"mailboxes\":2,"), "\(outcome)")
    let text = try stage.magnum("status")
    #expect(text.lines[0].hasPrefix("work  synced "), "\(text)")
    #expect(text.output.contains("\(failed) could not be sent") == (failed > 0))
  }

  @Test func aMessageIsPutIntoAMailboxOnce() throws {
    try stage.imap.create("Archive")
    let spool = Spool(root: Path(stage.send.home[".local/state/magnum/spool"]), account: "work")
    try spool.prepare(user: getuid())
    let message = Array("Message-ID: <a@x.test>\nSubject: a\n\ntext\n".utf8)
    try spool.enqueue(.append(appending("Archive")), message: message)
    try spool.enqueue(.append(appending("Nowhere")), message: message)
    for run in 1...2 {
      let outcome = try stage.sync("work")
      #expect(outcome.code == (run == 1 ? 1 : 0), "\(outcome)")
      #expect(outcome.errors.contains("1 message could not be sent"), "\(outcome)")
      let messages = try stage.sent("Archive")
      #expect(messages.map(\.flags) == [["\\Flagged", "\\Seen"]])
      #expect(stage.entries("queue") == [])
      #expect(stage.entries("failed").count == 1)
    }
  }

  private func appending(_ mailbox: String) -> Appending {
    Appending(
      to: Array(mailbox.utf8),
      flags: [Array("\\Seen".utf8), Array("\\Flagged".utf8)],
      date: 1_700_000_000,
      messageID: Array("<a@x.test>".utf8)
    )
  }
}
