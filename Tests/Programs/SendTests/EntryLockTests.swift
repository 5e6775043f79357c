import Glibc
import Platform
import Spool
import SpoolPlan
import TestSupport
import Testing

/// Commands about entries while a queue is worked on: they wait for the message on the wire at most.
@Suite struct EntryLockTests {
  private func stage(_ count: Int) throws -> SendStage {
    let stage = try SendStage()
    try stage.configure("maildir = \"~/Mail\"")
    for number in 1...count {
      let text = "Message-ID: <\(number)@x.test>\nSubject: \(number)\nX-Judge: slow\n\ntext\n"
      #expect(try stage.send(text, "--no-try", "a@x.test").code == 0)
    }
    return stage
  }

  private func queue(_ stage: SendStage, _ arguments: String...) throws -> Outcome {
    var command = stage.program.command(["queue"] + arguments)
    command.program = "\(ProgramUnderTest.products)/magnum"
    return try command.run()
  }

  @Test func entriesBehindTheOneOnTheWireAreChangedAtOnce() throws {
    let stage = try stage(12)
    let entries = stage.entries("queue")
    let flush = try stage.program.command(["-q"]).start()
    #expect(Stopwatch.wait(upTo: 30) { stage.sink.commands.contains("DATA") })
    for command in [
      try queue(stage, "hold", entries[11]), try queue(stage, "discard", entries[10]),
      try queue(stage, "cancel", entries[9]),
      try queue(stage, "edit", "--to", "b@x.test", entries[8]),
    ] { #expect(command.code == 0, "\(command)") }
    let outcome = flush.wait()
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(Set(stage.subjects) == Set((1...9).map { "\($0)" }) && stage.subjects.count == 9)
    #expect(stage.sink.messages.filter { $0.to == ["<b@x.test>"] }.count == 1)
    #expect(stage.entries("hold") == [entries[11]] && stage.entries("discarded") == [entries[10]])
    #expect(stage.entries("queue") == [] && stage.entries("tmp") == [])
  }

  /// Who changes the very entry that is on the wire waits for that.
  @Test func theEntryOnTheWireIsWaitedFor() throws {
    let stage = try stage(2)
    let entries = stage.entries("queue")
    let flush = try stage.program.command(["-q"]).start()
    #expect(Stopwatch.wait(upTo: 30) { stage.sink.commands.contains("DATA") })
    let hold = try queue(stage, "hold", entries[0])
    #expect(hold.code == 1, "\(hold)")
    #expect(flush.wait().code == 0)
    #expect(stage.subjects == ["1", "2"] && stage.entries("hold") == [])
  }

  /// A program of before knows no locks of entries: what it took out of the queue while the message went over the wire is not
  /// sent, and what it left is.
  @Test(arguments: ["held", "replaced", "nothing"])
  func whatAProgramOfBeforeDidIsSeenBeforeTheEnd(_ change: String) throws {
    let stage = try SendStage()
    #expect(try stage.send("Subject: 1\n\n", "--no-try", "a@x.test").code == 0)
    let entry = try #require(stage.entries("queue").first.flatMap { EntryID(Array($0.utf8)) })
    let spool = Spool(root: Path(stage.spool).parent, account: "work")
    let server = try OddServer.start { command, _ in
      guard command == "DATA", let work = try? LockedSpool.acquire(spool, timeout: 5) else {
        return nil
      }
      switch change {
      case "held":
        try? work.recordFact(.held([]), of: entry, now: 1)
        try? work.move(entry, from: .queue, to: .hold)
      case "replaced":
        guard let old = (try? spool.load(entry, in: .queue)) ?? nil else { break }
        _ = try? work.replace(
          old.entry,
          with: old.entry.action,
          message: Array("Subject: new\n\n".utf8),
          now: 1
        )
      default: break
      }
      return nil
    }
    try stage.configure("smtp-login = \"none\"", server: "smtp+plain://127.0.0.1:\(server.port)")
    let flush = try stage.flush()
    #expect(flush.code == 0, "\(flush)")
    let ends = server.requests.count { $0 == "." }
    switch change {
    case "held": #expect(ends == 0 && stage.entries("hold").count == 1, "\(flush)")
    case "replaced":
      // The new one comes in the second round.
      #expect(
        ends == 1 && server.requests.contains("new") && stage.entries("queue") == [],
        "\(flush) \(server.requests)"
      )
    default: #expect(ends == 1 && stage.entries("queue") == [], "\(flush)")
    }
    #expect(stage.entries("failed") == [] && stage.entries("tmp") == [])
  }

  /// New mail keeps coming: a flush takes what came in its first round, and ends; what is handed in from then on is sent by who
  /// hands it in.
  @Test func aFlushEndsWhileNewMailKeepsComing() throws {
    let stage = try stage(3)
    let flush = try stage.program.command(["-q"]).start()
    let end = Stopwatch.now() + 60
    // More come in a second than the server takes.
    while !Stopwatch.wait(upTo: 0.3, until: { flush.hasEnded }), Stopwatch.now() < end {
      #expect(try stage.send("Subject: a\nX-Judge: slow\n\n", "--no-try", "a@x.test").code == 0)
    }
    try #require(flush.hasEnded, "\(stage.sink.messages.count) sent")
    #expect(flush.wait().code == 0 && stage.sink.messages.count > 3)
    #expect(!stage.entries("queue").isEmpty, "the rest is for the next run")
  }

  /// Who hands in a message while the last round of another process is under way sends it behind that.
  @Test func nothingIsLeftBehindAClosedTurn() throws {
    let stage = try stage(1)
    _ = try stage.flush()
    stage.sink.clear()
    let spool = Spool(root: Path(stage.spool).parent, account: "work")
    var turn = try QueueTurn.acquire(spool, timeout: 0)
    #expect(try stage.send("Subject: left\n\n", "a@x.test").errors.contains("another process"))
    turn?.close()
    let waiting = try stage.command("Subject: own\n\n", ["a@x.test"]).start()
    #expect(Stopwatch.wait(upTo: 20) { stage.entries("queue").count == 2 })
    Stopwatch.sleep(0.3)
    #expect(!waiting.hasEnded && stage.subjects == [])
    withExtendedLifetime(turn) {}
    turn = nil
    let outcome = waiting.wait()
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(stage.subjects == ["left", "own"])
  }
}
