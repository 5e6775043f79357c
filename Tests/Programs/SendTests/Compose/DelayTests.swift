import Glibc
import Platform
import TestSupport
import Testing

/// Messages that wait for a moment, and are taken back until then.
struct DelayTests {
  private static let words = ["compose", "-t", "a@x.org", "-s", "later", "--body", "-", "--send"]

  private static let spool = ".local/state/magnum/spool/work"

  private static func drafts(_ stage: ComposeStage) -> [String] {
    stage.drafts.compactMap { Files.text(stage.magnum.home["mail/Drafts/cur/\($0)"]) }
  }

  @Test func aShortDelayIsWaitedFor() throws {
    let stage = try ComposeStage("send-delay = \"2s\"")
    let outcome = try stage.run(Self.words, input: "x")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("sent "), "\(outcome)")
    #expect(outcome.seconds > 1.5, "\(outcome)")
    #expect(outcome.errors.contains("; to take it back: magnum queue cancel "), "\(outcome)")
    #expect(outcome.errors.hasPrefix("it is sent at 20") && outcome.errors.contains(", in 2"))
    #expect(stage.sink.messages.count == 1)
  }

  @Test func aLongDelayNeedsSomethingThatSends() throws {
    let stage = try ComposeStage()
    let refused = try stage.run(Self.words + ["--at", "+2h"], input: "x")
    #expect(refused.code == 1 && refused.errors.contains("nothing would send it"), "\(refused)")
    #expect(stage.queued.isEmpty)
    #expect(
      try stage.run(["compose", "-t", "b@x.org", "--hold", "--body", "-"], input: "x").code == 0
    )
    // What a clock noted that was ahead shows nothing.
    let ran = stage.magnum.home["\(Self.spool)/ran"]
    try Command.shell("touch -d '+7 days' \"$1\"", [ran])
    #expect(try stage.run(Self.words + ["--at", "+2h"], input: "x").code == 1)
    // A timer that works on the queue.
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

  /// Who waits goes on when the moment is past, and finds the queue without the message: it says what became of it.
  @Test(arguments: ["cancel", "discard", "flush", "edit"])
  func whoWaitsSaysWhatHappened(_ command: String) throws {
    let stage = try ComposeStage()
    var waiter = stage.magnum.command(Self.words + ["--at", "+4s"])
    waiter.input = Array("x\n".utf8)
    let running = try waiter.start()
    #expect(Stopwatch.wait(upTo: 10) { !stage.queued.isEmpty })
    let entry = try #require(stage.queued.first)
    running.signal(SIGSTOP)
    if command == "flush" { Stopwatch.sleep(5) }
    let words = ["queue", command] + (command == "edit" ? ["--to", "b@x.org"] : [])
    let change = try stage.run(words + [command == "flush" ? "work" : entry])
    #expect(change.code == 0, "\(change)")
    if command != "flush" { Stopwatch.sleep(5) }
    running.signal(SIGCONT)
    let outcome = running.wait()
    let isSent = ["flush", "edit"].contains(command)
    #expect(outcome.output == "\(isSent ? "sent" : "cancelled") \(entry)\n", "\(outcome)")
    #expect(outcome.code == (isSent ? 0 : 1))
    #expect(
      stage.sink.messages.map(\.to)
        == (isSent ? [["<\(command == "edit" ? "b" : "a")@x.org>"]] : [])
    )
    #expect(stage.queued.isEmpty)
  }

  /// Where a new version takes its place, that one is waited for.
  @Test func aNewVersionIsWaitedFor() throws {
    let stage = try ComposeStage()
    var waiter = stage.magnum.command(Self.words + ["--at", "+4s"])
    waiter.input = Array("x\n".utf8)
    let running = try waiter.start()
    #expect(Stopwatch.wait(upTo: 10) { !stage.queued.isEmpty })
    let entry = try #require(stage.queued.first)
    #expect(try stage.run("queue", "edit", "--to", "b@x.org", entry).code == 0)
    let outcome = running.wait()
    #expect(outcome.code == 0 && outcome.output == "sent \(entry)\n", "\(outcome)")
    #expect(stage.sink.messages.map(\.to) == [["<b@x.org>"]])
  }

  /// While a server has not answered for the message nobody is told that it is a draft again, nor afterwards.
  @Test func whatIsBeingSentIsNotTakenBack() throws {
    let stage = try ComposeStage()
    var sending = stage.magnum.command([
      "compose", "-t", "at-end-stall@x.org", "--body", "-", "--send",
    ])
    sending.input = Array("x\n".utf8)
    let running = try sending.start()
    #expect(Stopwatch.wait(upTo: 10) { stage.log.contains(" sending ") })
    let entry = try #require(stage.queued.first)
    let early = try stage.run("queue", "cancel", entry)
    #expect(early.code == 75 && early.errors.contains("it is being sent"), "\(early)")
    running.signal(SIGKILL)
    _ = running.wait()
    let late = try stage.run("queue", "cancel", entry)
    #expect(late.code == 1 && late.errors.contains("the server may have it"), "\(late)")
    #expect(stage.drafts.isEmpty && stage.queued == [entry])
    // A person who lets it go on, or changes it, does not make that undone.
    for words in [["hold", entry], ["release", entry], ["cancel", entry]] {
      let outcome = try stage.run(["queue"] + words)
      #expect(outcome.code == (words[0] == "cancel" ? 1 : 0), "\(outcome)")
    }
    let edit = try stage.run("queue", "edit", "--to", "b@x.org", entry)
    let new = try #require(edit.output.split(separator: "\n").first, "\(edit)")
    #expect(try stage.run("queue", "cancel", "\(new)").code == 1)
    #expect(stage.drafts.isEmpty && stage.queued == ["\(new)"])
  }

  /// Wherever the command is killed: the message is sent, or it is a draft that is not sent, or a person is told that it is
  /// neither yet, and ends that.
  @Test func takingBackSurvivesEveryKill() throws {
    let stage = try ComposeStage()
    var (point, kept, failed) = (0, 0, 0)
    while true {
      point += 1
      let held = try stage.run(["compose", "-t", "a@x.org", "--hold", "--body", "-"], input: "x")
      let entry = try #require(stage.queued.first, "\(held)")
      #expect(try stage.run("queue", "release", entry).code == 0)
      var command = stage.magnum.command(["queue", "cancel", entry], ["MAGNUM_FAULT": "\(point)"])
      command.timeLimit = 20
      let killed = try command.run()
      // Behind the last line end stands what a crash left of a line.
      let lines = stage.log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let isNoted = lines.contains { $0.hasSuffix(" cancelled") }
      let isHalf = !isNoted && lines.contains { $0.contains(" cancelling ") }
      let flush = try stage.run("queue", "flush")
      #expect(flush.code == (isHalf ? 1 : 0), "\(flush)")
      if isHalf {
        failed += 1
        try #require(stage.sink.messages.isEmpty && stage.names("\(Self.spool)/failed") == [entry])
        #expect(try stage.run("queue").output.contains("cut short"))
        #expect(try stage.run("queue", "cancel", entry).code == 0)
      }
      let (sent, drafts) = (stage.sink.messages.count, stage.drafts.count)
      try #require(stage.queued.isEmpty, "point \(point)")
      guard killed.end == .signalled(9) else {
        #expect(killed.code == 0 && isNoted && sent == 0 && drafts == 1, "\(killed)")
        break
      }
      if isNoted { kept += 1 }
      try #require(
        isNoted || isHalf ? sent == 0 && drafts == 1 : sent == 1 && drafts == 0,
        "point \(point): \(killed)"
      )
      try stage.clear()
    }
    #expect(point > 10 && kept > 1 && failed > 1, "a debug build has fault points")
  }

  /// Who comes second is told what the first one did.
  @Test func whatIsTakenBackAlreadyIsSaid() throws {
    let stage = try ComposeStage()
    _ = try stage.run(["compose", "-t", "a@x.org", "--hold", "--body", "-"], input: "x")
    let entry = try #require(stage.queued.first)
    let lock = try stage.lockQueue()
    let commands = try (0..<2).map { _ in
      try stage.magnum.command(["queue", "cancel", entry]).start()
    }
    // Both have found the entry, and wait.
    Stopwatch.sleep(1)
    lock.release()
    let outcomes = commands.map { $0.wait() }
    #expect(Set(outcomes.map(\.code)) == [0, 1], "\(outcomes)")
    #expect(outcomes.contains { $0.errors.contains("cancelled already") }, "\(outcomes)")
    let later = try stage.run("queue", "cancel", entry)
    #expect(later.code == 1 && later.errors.contains("cancelled already"), "\(later)")
    #expect(stage.drafts.count == 1)
  }

  @Test func itIsTooLateForWhatIsSent() throws {
    let stage = try ComposeStage()
    let sent = try stage.run(["compose", "-t", "a@x.org", "--body", "-", "--send"], input: "x")
    let name = try #require(sent.output.split(separator: " ").last)
    let gone = try stage.run("queue", "cancel", "\(name.dropLast())")
    #expect(gone.code == 1 && gone.errors.contains("what is sent is no longer there"), "\(gone)")
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
    // Of the first second a part has gone by.
    let start = try stage.send("Subject: a\n\ntext\n", "--at", "+2s", "a@x.test")
    #expect(start.code == 0 && start.seconds > 0.9, "\(start)")
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
