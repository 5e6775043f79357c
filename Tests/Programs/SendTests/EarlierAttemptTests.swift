import Glibc
import TestSupport
import Testing

/// Messages that are taken back, changed or awaited where more is known of them than their last attempt says.
@Suite struct EarlierAttemptTests {
  /// Where drafts are kept.
  private static let maildir = "maildir = \"~/mail\""

  private let stage: SendStage

  init() throws { stage = try SendStage() }

  private func queue(_ words: String..., input: String = "") throws -> Outcome {
    var command = stage.command(input, ["queue"] + words)
    command.program = "\(ProgramUnderTest.products)/magnum"
    return try command.run()
  }

  /// A server that did not answer the end of a message may have it, whatever it says to the next attempt.
  @Test(arguments: ["451 4.7.1 later", "554 5.6.0 duplicate"], [false, true])
  func whatAServerMayHaveIsNotTakenBack(_ reply: String, _ isKilled: Bool) throws {
    let server = try OddServer.start { command, connection in
      switch (command.prefix(4), connection) {
      case (".", 1): isKilled ? [] : [.close]
      case ("RCPT", 2): [.lines(reply)]
      default: nil
      }
    }
    try stage.configure(Self.maildir, server: "smtp+plain://127.0.0.1:\(server.port)")
    let first = try stage.command("Subject: a\n\n", ["a@x.test"]).start()
    #expect(Stopwatch.wait(upTo: 10) { server.requests.contains { $0.hasPrefix(".") } })
    if isKilled { first.signal(SIGKILL) }
    _ = first.wait()
    let entry = try #require(stage.entries("queue").first)
    #expect(try queue("flush").code != 75)
    #expect(server.connectionCount == 2)
    let outcome = try queue("cancel", entry)
    #expect(outcome.code == 1 && outcome.errors.contains("the server may have it"), "\(outcome)")
    #expect(stage.entries("queue") + stage.entries("failed") == [entry])
  }

  /// A draft goes to those whom its fields name.
  @Test func aDraftWouldNotGoToOthers() throws {
    try stage.configure(Self.maildir)
    let message = "To: list@x.test\nCc: root@x.test\nSubject: a\n\n"
    _ = try stage.send(message, "--no-try", "b@x.test", "root@x.test")
    let entry = try #require(stage.entries("queue").first)
    let other = try queue("cancel", entry)
    #expect(other.code == 1 && other.errors.contains("would go to list@x.test"), "\(other)")
    #expect(stage.entries("queue") == [entry])
    _ = try queue("discard", entry)
    _ = try stage.send("To: old@x.test\nSubject: a\n\n", "--no-try", "-t")
    let old = try #require(stage.entries("queue").first)
    let edit = try queue("edit", "-q", "--to", "new@x.test", old)
    #expect(edit.code == 0, "\(edit)")
    let new = try #require(stage.entries("queue").first)
    let outcome = try queue("cancel", new)
    #expect(outcome.code == 1 && outcome.errors.contains("would go to old@x.test"), "\(outcome)")
  }

  /// What could not be read takes no message's place.
  @Test func nothingTakesNoMessagesPlace() throws {
    _ = try stage.send("Subject: a\n\n", "--no-try", "a@x.test")
    let entry = try #require(stage.entries("queue").first)
    let outcome = try queue("edit", "--message", "-", entry)
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.errors.contains("there is no message in it"), "\(outcome)")
    #expect(stage.entries("queue") == [entry])
  }

  /// The server takes one recipient at a time, and refuses each.
  @Test func whoWaitsIsToldOfAllThatAreRefused() throws {
    let server = try OddServer.start(offering: ["LIMITS RCPTMAX=1"]) { command, _ in
      command.hasPrefix("RCPT") ? [.lines("550 5.1.1 nobody")] : nil
    }
    try stage.configure(server: "smtp+plain://127.0.0.1:\(server.port)")
    let outcome = try stage.send("Subject: a\n\n", "--wait", "a@x.test", "b@x.test")
    #expect(outcome.code == 65, "\(outcome)")
    for name in ["a@x.test", "b@x.test"] {
      #expect(outcome.errors.contains("\(name) refused: 550 5.1.1 nobody"), "\(outcome)")
    }
    for state in ["queue", "failed"] { #expect(stage.entries(state) == []) }
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func whoEndsTheWaitForAMomentIsTold(_ signal: Int32) throws {
    let running = try stage.command("Subject: a\n\n", ["--at", "+200s", "a@x.test"]).start()
    #expect(Stopwatch.wait(upTo: 10) { !stage.entries("queue").isEmpty })
    running.signal(signal)
    let outcome = running.wait()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("work: queued: interrupted before its time"), "\(outcome)")
    #expect(stage.entries("queue").count == 1)
  }

  /// Who only changes an entry does not look for new ones, and is waited for.
  @Test func aProcessThatIsInNoRunIsWaitedFor() throws {
    _ = try stage.send("Subject: a\n\n", "--no-try", "a@x.test")
    let lock = "\(stage.spool)/.lock"
    let script = "exec 9> \"$1\"; flock 9; echo; sleep 0.7"
    let holder = try Command("/bin/sh", ["-euc", script, "sh", lock]).start()
    #expect(Stopwatch.wait(upTo: 10) { holder.outputSoFar == "\n" })
    let outcome = try stage.send("Subject: b\n\n", "b@x.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(Set(stage.subjects) == ["a", "b"])
    _ = holder.wait()
  }
}
