import TestSupport
import Testing

/// Many at once.
@Suite(.serialized) struct CrowdTests {
  private static let busy = "magnum-send: work: queued: another process works on the queue\n"

  @Test func aHundredCallersAtOnce() throws {
    let stage = try SendStage()
    let running = try (1...100).map { number in
      try stage.command("Subject: \(number)\n\n", ["a@x.test"]).start()
    }
    for outcome in running.map({ $0.wait() }) {
      #expect(outcome.code == 0 && ["", Self.busy].contains(outcome.errors), "\(outcome)")
    }
    // A process that found the lock taken has left its message to the one that held it.
    #expect(Set(stage.subjects) == Set((1...100).map { "\($0)" }))
    #expect(stage.sink.messages.count == 100)
    #expect(stage.entries("queue") == [] && stage.entries("log") == [])
  }

  @Test func severalFlushersSendEachMessageOnce() throws {
    let stage = try SendStage()
    for number in 1...30 { _ = try stage.send("Subject: \(number)\n\n", "--no-try", "a@x.test") }
    let running = try (1...4).map { _ in try stage.program.command(["-q"]).start() }
    for outcome in running.map({ $0.wait() }) { #expect(outcome.code == 0, "\(outcome)") }
    #expect(stage.subjects == (1...30).map { "\($0)" })
    #expect(stage.sink.connectionCount == 1)
  }

  /// A process that finds the lock taken ends, and the one that holds it sends its message too.
  @Test func noMessageIsOverlooked() throws {
    let stage = try SendStage()
    let slow = try stage.command("Subject: 1\nX-Judge: slow\n\n", ["a@x.test"]).start()
    #expect(Stopwatch.wait(upTo: 5) { stage.sink.commands.contains("DATA") })
    let quick = try stage.send("Subject: 2\n\n", "a@x.test")
    #expect(quick.code == 0 && quick.errors == Self.busy && quick.seconds < 1, "\(quick)")
    let quiet = try stage.send("Subject: 3\n\n", "-oeq", "a@x.test")
    #expect(quiet.code == 0 && quiet.errors == "", "\(quiet)")
    #expect(slow.wait().code == 0)
    #expect(stage.subjects == ["1", "2", "3"])
  }

  /// Also one that was to send a single message.
  @Test func aRunOverOneMessageTakesWhatComesMeanwhile() throws {
    let stage = try SendStage()
    for text in ["Subject: 1\n\n", "Subject: 2\nX-Judge: slow\n\n"] {
      #expect(try stage.send(text, "--no-try", "a@x.test").code == 0)
    }
    let entries = stage.entries("queue")
    let slow = try stage.program.command(["-qI\(entries[1])"]).start()
    #expect(Stopwatch.wait(upTo: 5) { stage.sink.commands.contains("DATA") })
    #expect(try stage.send("Subject: 3\n\n", "a@x.test").errors == Self.busy)
    #expect(slow.wait().code == 0)
    #expect(stage.subjects == ["2", "3"] && stage.entries("queue") == [entries[0]])
  }

  @Test func anInterruptWaitsForTheAnswer() throws {
    let stage = try SendStage()
    let slow = try stage.command("Subject: 1\nX-Judge: slow\n\n", ["a@x.test"]).start()
    #expect(Stopwatch.wait(upTo: 5) { stage.sink.commands.contains("DATA") })
    Stopwatch.sleep(0.3)
    slow.signal(15)
    #expect(slow.wait().code == 0, "it is not to be given again")
    #expect(stage.subjects == ["1"] && stage.entries("queue") == [])
    try stage.flush()
    #expect(stage.subjects == ["1"])
  }

  @Test func anInterruptEndsAFlushBetweenTwoMessages() throws {
    let stage = try SendStage()
    for number in 1...3 {
      _ = try stage.send("Subject: \(number)\nX-Judge: slow\n\n", "--no-try", "a@x.test")
    }
    let flush = try stage.program.command(["-q"]).start()
    #expect(Stopwatch.wait(upTo: 5) { stage.sink.commands.contains("DATA") })
    flush.signal(2)
    #expect(flush.wait().end == .signalled(2))
    // It may come before the first message is on its way, and behind it; never in the midst of one.
    let sent = stage.subjects
    #expect(sent.count < 3 && sent == Array(["1", "2", "3"].prefix(sent.count)))
    #expect(stage.entries("queue").count == 3 - sent.count)
    try stage.flush()
    #expect(stage.subjects == ["1", "2", "3"])
  }
}
