import TestSupport
import Testing

/// Messages that wait for a moment, and are taken back until then.
struct DelayTests {
  private static let words = ["compose", "-t", "a@x.org", "-s", "later", "--body", "-", "--send"]

  private static func drafts(_ stage: ComposeStage) -> [String] {
    stage.drafts.compactMap { Files.text(stage.magnum.home["mail/Drafts/cur/\($0)"]) }
  }

  @Test func aShortDelayIsWaitedFor() throws {
    let stage = try ComposeStage("send-delay = \"2s\"")
    let outcome = try stage.run(Self.words, input: "x")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("sent "), "\(outcome)")
    #expect(
      outcome.seconds > 1.5 && outcome.errors.contains("; to take it back: magnum queue cancel ")
    )
    #expect(outcome.errors.hasPrefix("it is sent at 20") && outcome.errors.contains(", in 2"))
    #expect(stage.sink.messages.count == 1)
  }

  @Test func aLongDelayNeedsSomethingThatSends() throws {
    let stage = try ComposeStage()
    let refused = try stage.run(Self.words + ["--at", "+2h"], input: "x")
    #expect(refused.code == 1 && refused.errors.contains("nothing would send it"), "\(refused)")
    #expect(stage.queued.isEmpty)
    // A timer that works on the queue.
    #expect(
      try stage.run(["compose", "-t", "b@x.org", "--hold", "--body", "-"], input: "x").code == 0
    )
    #expect(try stage.run("queue", "flush", "--due").code == 0)
    let outcome = try stage.run(Self.words + ["--at", "+150m"], input: "x")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("queued "), "\(outcome)")
    #expect(
      outcome.errors.contains("it is not sent before 20") && outcome.errors.contains("2 h 30")
    )
    let unnamed = try stage.run("queue", "cancel", "")
    #expect(unnamed.code == 1 && unnamed.errors.contains("\"\" names no entry"), "\(unnamed)")
    // Nobody sends it before, not even who sends all that waits.
    for words in [["queue", "flush"], ["queue", "flush", "--due"]] {
      #expect(try stage.run(words).code == 0)
    }
    #expect(stage.sink.messages.isEmpty)
    #expect(stage.names(".local/state/magnum/spool/work/queue").count == 1)
    #expect(try stage.run("queue").output.contains("next attempt in 2 h"))
  }

  /// It waits, is taken back with all that was written, which who waits for it is told, and is sent in the end.
  @Test func aMessageIsTakenBack() throws {
    let stage = try ComposeStage()
    var command = stage.magnum.command(Self.words + ["-b", "hidden@x.org", "--at", "+60s"])
    command.input = Array("x é\n".utf8)
    let running = try command.start()
    #expect(Stopwatch.wait(upTo: 10) { !stage.queued.isEmpty })
    let entry = try #require(stage.queued.first)
    let cancelled = try stage.run("queue", "cancel", entry)
    #expect(cancelled.code == 0 && cancelled.output.hasPrefix("cancelled \(entry)"), "\(cancelled)")
    let waiting = running.wait()
    #expect(waiting.code == 1 && waiting.output == "cancelled \(entry)\n", "\(waiting)")
    #expect(waiting.seconds < 30)
    #expect(stage.queued.isEmpty && stage.sink.messages.isEmpty)
    let draft = try #require(Self.drafts(stage).first)
    #expect(draft.contains("Bcc: hidden@x.org\n") && draft.contains("x =C3=A9"))
    let file = stage.magnum.home["mail/Drafts/cur/\(stage.drafts[0])"]
    #expect(try stage.run("resume", "--send", file).code == 0)
    #expect(try stage.sent().to.count == 2 && stage.drafts.isEmpty)
  }

  @Test func itIsTooLateForWhatIsSent() throws {
    let stage = try ComposeStage()
    // One has it, the other is refused for now.
    let words = ["compose", "-t", "a@x.org", "-t", "t450@x.org", "--body", "-", "--send"]
    #expect(try stage.run(words, input: "x").code == 0)
    let entry = try #require(stage.queued.first)
    let late = try stage.run("queue", "cancel", entry)
    #expect(late.code == 1 && late.errors.contains("too late"), "\(late)")
    #expect(stage.queued == [entry] && stage.drafts.isEmpty)
  }

  /// What is left of a message that others have makes no draft to all of them.
  @Test func itIsTooLateForWhatIsLeft() throws {
    let stage = try ComposeStage()
    let people = ["a@x.org", "p550@x.org", "t450@x.org"].flatMap { ["-t", $0] }
    _ = try stage.run(["compose"] + people + ["--body", "-", "--send"], input: "x")
    let entry = try #require(stage.queued.first { $0.hasSuffix(".1") }, "\(stage.queued)")
    let late = try stage.run("queue", "cancel", entry)
    #expect(late.code == 1 && late.errors.contains("other recipients have it"), "\(late)")
    #expect(stage.drafts.isEmpty)
  }

  @Test func programsThatSendKnowItToo() throws {
    let stage = try SendStage()
    let start = try stage.send("Subject: a\n\ntext\n", "--at", "+1s", "a@x.test")
    #expect(start.code == 0 && start.seconds > 0.5, "\(start)")
    #expect(stage.subjects == ["a"])
    for (time, error) in [
      ("never", "is no time"), ("2020-01-01", "is past"), ("+1d", "nothing would send"),
    ] {
      let outcome = try stage.send("Subject: b\n\ntext\n", "--at", time, "a@x.test")
      #expect(outcome.code != 0 && outcome.errors.contains(error), "\(outcome)")
    }
    #expect(stage.entries("queue").isEmpty && stage.subjects == ["a"])
  }
}
