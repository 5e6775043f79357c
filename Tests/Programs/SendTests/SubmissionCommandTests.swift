import Glibc
import TestSupport
import Testing

/// Sending over a command that speaks SMTP, `smtp-command`.
@Suite struct SubmissionCommandTests {
  /// Passes octets between its standard input and output and the server of a stage.
  private static func relay(to stage: SendStage) -> String {
    "exec 3<>/dev/tcp/127.0.0.1/\(stage.sink.port); cat >&3 <&0 & cat <&3; kill $! 2>&-"
  }

  private static func configure(_ stage: SendStage, _ script: String, _ lines: String = "") throws {
    try stage.program.configure(
      """
      [account.work]
      address = "me@x.test"
      smtp-command = ['bash', '-c', '\(script)']
      \(lines)
      """
    )
  }

  @Test func mailGoesThroughACommand() throws {
    let stage = try SendStage()
    try Self.configure(stage, Self.relay(to: stage))
    let outcome = try stage.send("Subject: 1\n\ntext\n", "a@y.test", "b@y.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(stage.subjects == ["1"] && stage.entries("queue").isEmpty)
  }

  /// The secret of IMAP is not for what a command reaches; one for sending is.
  @Test(arguments: [("password = \"imap\"", false), ("smtp-password = \"smtp\"", true)])
  func onlyASecretForSendingIsOffered(_ line: String, _ isOffered: Bool) throws {
    var options = SMTPSink.Options()
    options.extensions += ["AUTH PLAIN", "STARTTLS"]
    let stage = try SendStage(options)
    try Self.configure(stage, Self.relay(to: stage), line)
    let outcome = try stage.send("Subject: 1\n\n", "a@y.test")
    #expect(outcome.code == 0 && stage.subjects == ["1"], "\(outcome)")
    #expect(stage.sink.commands.contains { $0.hasPrefix("AUTH") } == isOffered)
    #expect(!stage.sink.commands.contains { $0.hasPrefix("STARTTLS") })
  }

  /// The message waits, and the reason is said.
  @Test(arguments: [
    ("exit 3", "smtp-command ended with status 3"), ("echo 554 not for you", "554 not for you"),
    (
      "echo warning >&2; echo no route to relay >&2; exit 255",
      "smtp-command ended with status 255: no route to relay"
    ),
  ])
  func aCommandThatFailsIsNamed(_ script: String, _ words: String) throws {
    let stage = try SendStage()
    try Self.configure(stage, script)
    let outcome = try stage.send("Subject: 1\n\n", "a@y.test")
    #expect(outcome.code == 0 && outcome.errors.contains(words), "\(outcome)")
    #expect(stage.entries("queue").count == 1)
  }

  /// The server may have the message: that is known, and said.
  @Test func aCommandThatEndsBeforeTheAnswerLeavesItOpen() throws {
    let stage = try SendStage()
    try Self.configure(stage, Self.relay(to: stage), "if-uncertain = \"hold\"")
    let outcome = try stage.send("Subject: 1\nX-Judge: drop-after-data\n\n", "a@y.test")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(stage.entries("hold").count == 1, "\(outcome) \(stage.entries("queue"))")
  }

  /// What the command leaves behind keeps nobody waiting, and is gone with it.
  @Test func nothingOfTheCommandGoesOn() throws {
    let stage = try SendStage()
    let left = stage.program.home["left"]
    try Self.configure(stage, "sleep 300 & echo $! > \(left); " + Self.relay(to: stage))
    let outcome = try stage.send("Subject: 1\n\n", "a@y.test")
    #expect(outcome.code == 0 && stage.subjects == ["1"], "\(outcome)")
    #expect(outcome.seconds < 60)
    let process = try #require(Files.text(left).flatMap { Int32($0.filter { $0 != "\n" }) })
    #expect(Stopwatch.wait(upTo: 5) { kill(process, 0) != 0 })
  }
}

/// Sending by a program, `send-command`, as callers of magnum-send see it.
@Suite struct SendProgramCallerTests {
  private static func configure(_ stage: SendStage, _ script: String, _ lines: String = "") throws {
    try stage.program.configure(
      """
      [account.work]
      address = "me@x.test"
      send-command = ['sh', '-c', '\(script)']
      \(lines)
      """
    )
  }

  @Test func mailIsGivenToAProgram() throws {
    let stage = try SendStage()
    let file = stage.program.home["taken"]
    try Self.configure(stage, "echo \"$@\" > \(file); cat >> \(file)")
    let outcome = try stage.send("Subject: 1\nBcc: b@y.test\n\ntext\n", "-t", "a@y.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    let taken = try #require(Files.text(file))
    #expect(taken.hasPrefix("b@y.test a@y.test\n") || taken.hasPrefix("a@y.test b@y.test\n"))
    #expect(taken.contains("Subject: 1\n") && !taken.contains("Bcc"), "\(taken)")
    #expect(stage.entries("queue").isEmpty)
  }

  /// Killed while the program worked: what became of the message is not known, and so it is held.
  @Test func aKillInBetweenLeavesItOpen() throws {
    let stage = try SendStage()
    try Self.configure(
      stage,
      "echo >> \(stage.program.home["runs"]); kill -9 $PPID",
      "if-uncertain = \"hold\""
    )
    let killed = try stage.send("Subject: 1\n\n", "a@y.test")
    #expect(killed.end == .signalled(9), "\(killed)")
    #expect(stage.entries("queue").count == 1)
    try Self.configure(stage, "exit 0", "if-uncertain = \"hold\"")
    let flushed = try stage.flush()
    #expect(stage.entries("hold").count == 1, "\(flushed)")
    #expect(Files.text(stage.program.home["runs"]) == "\n")
  }

  /// Killed at any point, and the queue worked on once after it: a message that is to be held runs the program once at most, one
  /// that is to be sent again at least once, and nothing is lost.
  @Test(arguments: ["hold", "resend"]) func killedAnywhere(ifUncertain: String) throws {
    let stage = try SendStage()
    let file = stage.program.home["runs"]
    try Self.configure(
      stage,
      "echo >> \(file)",
      "if-uncertain = \"\(ifUncertain)\"\nsent-copy = \"never\""
    )
    var point = 1
    while point < 200 {
      let (before, held) = (Files.text(file)?.count ?? 0, stage.entries("hold").count)
      let variables = ["MAGNUM_FAULT": "\(point)"]
      let killed = try stage.send("Subject: \(point)\n\n", "a@y.test", variables: variables)
      guard killed.code != 0 else { break }
      let isEnqueued = !stage.entries("queue").isEmpty
      try stage.flush()
      let runs = (Files.text(file)?.count ?? 0) - before
      let newlyHeld = stage.entries("hold").count - held
      #expect(stage.entries("queue").isEmpty, "\(point)")
      #expect(runs <= (ifUncertain == "hold" ? 1 : 2), "\(point): \(runs)")
      #expect(!isEnqueued || runs + newlyHeld > 0, "\(point)")
      #expect(ifUncertain == "hold" || newlyHeld == 0, "\(point)")
      point += 1
    }
    #expect(point > 10 && point < 200)
  }

  /// A program that does not end is ended, with all that it has started; it may have sent the message.
  @Test func aProgramThatHangsIsEnded() throws {
    let stage = try SendStage()
    let left = stage.program.home["left"]
    try Self.configure(
      stage,
      "sleep 300 & echo $! > \(left); wait",
      "if-uncertain = \"hold\""
    )
    let variables = ["MAGNUM_PATIENCE": "500"]
    let outcome = try stage.send("Subject: 1\n\n", "--wait", "a@y.test", variables: variables)
    #expect(stage.entries("hold").count == 1 && outcome.seconds < 60, "\(outcome)")
    let process = try #require(Files.text(left).flatMap { Int32($0.filter { $0 != "\n" }) })
    #expect(Stopwatch.wait(upTo: 5) { kill(process, 0) != 0 })
  }

  /// A refusal is told to who waits, and a person is told what stops the account.
  @Test(arguments: [
    ("echo no such user >&2; exit 67", 65, "no such user"),
    ("echo log in first >&2; exit 77", 0, "log in first"),
    ("exit 78", 0, "send-command ended with status 78"),
  ])
  func refusalsAreTold(_ script: String, _ code: Int32, _ words: String) throws {
    let stage = try SendStage()
    try Self.configure(stage, script)
    let outcome = try stage.send("Subject: 1\n\n", "--wait", "a@y.test")
    #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome)")
    #expect(stage.entries("queue").count == (code == 0 ? 1 : 0))
  }
}
