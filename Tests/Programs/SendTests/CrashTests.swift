import Platform
import TestSupport
import Testing

/// The program killed where it changes something, or refused every change: nothing that was accepted is lost, and nothing is
/// sent twice but in the one window that SMTP leaves open.
///
/// Some of the points are tried (`Turn`).
@Suite struct CrashTests {
  @Test func aFlushSurvivesEveryKill() throws {
    let stage = try SendStage()
    #expect(try stage.send("Subject: 1\n\n", "--no-try", "a@x.test").code == 0)
    #expect(
      try stage.send("Subject: 2\n\n", "--no-try", "p550@x.test", "b@x.test", "t450@x.test").code
        == 0
    )
    #expect(try stage.send("Subject: 3\n\n", "--no-try", "p550@x.test").code == 0)
    #expect(
      try stage.send("Subject: 4\nX-Judge: drop-after-data-once\n\n", "--no-try", "c@x.test").code
        == 0
    )
    try stage.save()
    let points = try count(stage) { try stage.flush(variables: $0) }
    var doubles = 0
    for point in Turn.chosen(of: points, every: Turn.stride(3)) {
      try stage.restore()
      let killed = try stage.flush(variables: ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      let isOpen = isWindowOpen(stage)
      try settle(stage, point)
      // The fourth is doubled by its server.
      let subjects = stage.subjects.sorted()
      let isDoubled = subjects != ["1", "2", "4", "4"]
      if isDoubled { doubles += 1 }
      try #require(
        Set(subjects) == ["1", "2", "4"],
        "point \(point): \(subjects), \(killed.errors)"
      )
      try #require(subjects.count <= 5, "point \(point): \(subjects)")
      try #require(
        !isDoubled || isOpen,
        "point \(point), \(killed.errors): doubled outside of the window"
      )
      try expectEnd(stage, point)
    }
    print(
      "\(points) fault points of a flush, \(doubles) messages sent twice, all of them between dot and reply"
    )
  }

  /// The late one stays; two were refused.
  private func expectEnd(_ stage: SendStage, _ point: Int) throws {
    let queued = stage.entries("queue")
    try #require(queued.count == 1, "point \(point)")
    let failed = stage.entries("failed")
    try #require(
      failed.count == 2 && failed.contains("\(queued[0]).1"),
      "point \(point): \(failed)"
    )
    try #require(stage.entries("log").sorted() == (queued + failed).sorted(), "point \(point)")
    try #require(stage.entries("hold") == [])
  }

  private func settle(_ stage: SendStage, _ point: Int) throws {
    for _ in 1...3 {
      let outcome = try stage.flush()
      try #require(outcome.code == 0, "after a kill at point \(point): \(outcome)")
    }
  }

  @Test func givingAMessageSurvivesEveryKill() throws {
    let stage = try SendStage()
    let points = try count(stage) {
      try stage.send("Subject: a\n\ntext\n", "a@x.test", variables: $0)
    }
    for point in Turn.chosen(of: points, every: Turn.stride(3)) {
      try stage.restore()
      let killed = try stage.send(
        "Subject: a\n\ntext\n",
        "a@x.test",
        variables: ["MAGNUM_FAULT": "\(point)"]
      )
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      let entry = stage.entries("queue").first
      let isOpen = isWindowOpen(stage)
      try stage.flush()
      // The caller was not told that it is accepted; but once it is in the queue it is sent.
      let isTaken = entry != nil || !stage.sink.messages.isEmpty
      let range = isTaken ? isOpen ? 1...2 : 1...1 : 0...0
      try #require(range.contains(stage.sink.messages.count), "point \(point): \(killed.errors)")
      for message in stage.sink.messages { try #require(message.text.hasSuffix("\n\ntext\n")) }
      for state in ["queue", "failed", "hold", "log"] {
        try #require(stage.entries(state) == [], "point \(point), \(state)")
      }
    }
    print("\(points) fault points of giving a message")
  }

  /// Whatever a person does to an entry: there is one version of the message, to be sent, to be released or to be put back,
  /// and not two.
  @Test(arguments: ["edit", "hold", "release", "retry", "discard", "undiscard"], [true, false])
  func aChangeOfAnEntrySurvivesEveryKill(_ command: String, _ isHasty: Bool) throws {
    let stage = try SendStage()
    let recipient = command == "retry" ? "p550@x.test" : "a@x.test"
    _ = try stage.send(
      "Subject: old\n\n",
      command == "retry" ? "-odi" : "--no-try",
      recipient,
      "b@x.test"
    )
    let state = command == "retry" ? "failed" : "queue"
    let entry = try #require(stage.entries(state).first)
    func change(_ words: [String], _ variables: [String: String]) throws -> Outcome {
      var run = stage.command("Subject: new\n\n", ["queue"] + words, variables)
      run.program = "\(ProgramUnderTest.products)/magnum"
      return try run.run()
    }
    if command == "release" { #expect(try change(["hold", entry], [:]).code == 0) }
    if command == "undiscard" { #expect(try change(["discard", entry], [:]).code == 0) }
    let words = [command] + (command == "edit" ? ["--message", "-"] : []) + [entry]
    try stage.save()
    let points = try count(stage) { try change(words, $0) }
    for point in Turn.chosen(of: points, every: Turn.stride(3)) {
      try stage.restore()
      let killed = try change(words, ["MAGNUM_FAULT": "\(point)"])
      try #require(killed.end == .signalled(9), "point \(point) of \(points): \(killed)")
      // What a person does next may come after the queue is worked on, or before.
      if !isHasty { for _ in 1...2 { try stage.flush() } }
      if command == "edit" { try #require(stage.entries("hold") == [], "point \(point)") }
      for held in stage.entries("hold") { _ = try change(["release", held], [:]) }
      for gone in stage.entries("discarded") { _ = try change(["undiscard", gone], [:]) }
      for held in stage.entries("hold") { _ = try change(["release", held], [:]) }
      for _ in 1...2 { try stage.flush() }
      let sent = stage.sink.messages.count { $0.to.contains("<\(recipient)>") }
      let left = ["queue", "hold", "failed", "discarded"].flatMap { stage.entries($0) }.count
      try #require(sent + left == 1, "point \(point): \(killed.errors)")
    }
  }

  @Test func aFullDiskNeverSwallowsAMessage() throws {
    let stage = try SendStage()
    var isPast = false
    var change = 0
    var doubled = 0
    while !isPast, change < 300 {
      change += 1
      for count in ["\(change)", "\(change)+"] {
        try stage.restore()
        let outcome = try stage.send(
          "Subject: a\n\n",
          "a@x.test",
          variables: ["MAGNUM_FAULT_ERROR": "\(count):ENOSPC"]
        )
        let isQueued = stage.entries("queue").count == 1
        let isSent = stage.sink.messages.count == 1
        if outcome.code == 0 {
          try #require(isQueued || isSent, "change \(count): 0 means taken: \(outcome)")
        } else {
          // Also where the disk refuses the last step, to make the name durable, and the removal then.
          try #require(!isQueued && !isSent, "change \(count): not 0 means not taken: \(outcome)")
        }
        let isOpen = isWindowOpen(stage)
        try stage.flush()
        let expected = outcome.code == 0 ? isSent && isQueued && isOpen ? 2 : 1 : 0
        try #require(stage.sink.messages.count == expected, "change \(count): \(outcome)")
        if expected == 2, !count.hasSuffix("+") { doubled += 1 }
        // Nothing was refused any more.
        if outcome.code == 0, outcome.errors == "", isSent, !isQueued, change > 30 { isPast = true }
      }
    }
    // Of what is done once the server has the message, only to write that down must not fail; there is room for it.
    #expect(doubled <= 1)
    print("\(change) changes refused one by one")
  }

  /// A message whose name may not last is taken back, unless another process has the queue: that may be sending it already.
  @Test func whatAnotherProcessMaySendIsNotTakenBack() throws {
    let stage = try SendStage()
    #expect(try stage.send("Subject: 1\n\n", "--no-try", "a@x.test").code == 0)
    try stage.save()
    var taken = [false: 0, true: 0]
    for change in 1...12 {
      for isLocked in [false, true] {
        try stage.restore()
        let lock = try isLocked ? FileLock.acquire(Path("\(stage.spool)/.lock")) : .unsupported
        let outcome = try stage.send(
          "Subject: 2\n\n",
          "--no-try",
          "a@x.test",
          variables: ["MAGNUM_FAULT_ERROR": "\(change):EIO"]
        )
        if case .acquired(let lock) = lock { lock.release() }
        let isQueued = stage.entries("queue").count == 2
        try #require((outcome.code == 0) == isQueued, "change \(change): \(outcome)")
        if isQueued { taken[isLocked, default: 0] += 1 }
      }
    }
    // The last step alone, to make the name durable, is what the other process makes no matter.
    #expect(taken[true] == (taken[false] ?? 0) + 1 && taken[false] != 0, "\(taken)")
  }

  /// Who waits is not told that a message was refused, and may be given again, where a run that was killed may have sent it.
  @Test func whatTheServerMayHaveIsKept() throws {
    let stage = try SendStage()
    #expect(try stage.send("Subject: 1\n\n", "a@x.test").code == 0)
    guard case .acquired(let lock) = try FileLock.acquire(Path("\(stage.spool)/.run")) else {
      Issue.record("the lock is held")
      return
    }
    let waiting = try stage.command("Subject: 2\n\n", ["--wait", "p550@x.test"]).start()
    #expect(Stopwatch.wait(upTo: 20) { stage.entries("queue").count == 1 })
    let entry = try #require(stage.entries("queue").first)
    let log = Path("\(stage.spool)/log/\(entry)")
    try Descriptor.open(log, .truncate).write(all: Array("2026-11-01T10:00:00Z sending 1\n".utf8))
    lock.release()
    let outcome = waiting.wait()
    #expect(outcome.code == 0 && outcome.errors.contains("the server may have it"), "\(outcome)")
    #expect(stage.entries("failed") == [entry])
  }

  /// Whether the end of a message was announced in a log, and no answer is in it.
  private func isWindowOpen(_ stage: SendStage) -> Bool {
    stage.sink.settle()
    return stage.entries("queue").contains { entry in
      let log = stage.log(of: entry)
      // Behind the last line end stands what a crash left of a line.
      let lines = log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return lines.contains { $0.contains(" sending ") }
        && !lines.contains { $0.contains(" accepted ") }
    }
  }

  /// Runs once without a fault, and returns the number of points.
  private func count(_ stage: SendStage, _ run: ([String: String]) throws -> Outcome) throws -> Int
  {
    let file = stage.program.home["points"]
    let outcome = try run(["MAGNUM_FAULT_COUNT": file])
    #expect(outcome.code == 0, "\(outcome)")
    let points = (Files.text(file) ?? "").split(separator: "\n").first.flatMap { Int($0) } ?? 0
    try #require(points > 10, "a debug build has fault points")
    return points
  }
}
