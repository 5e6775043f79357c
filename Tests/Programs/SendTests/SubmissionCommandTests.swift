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
    options.extensions.append("AUTH PLAIN")
    let stage = try SendStage(options)
    try Self.configure(stage, Self.relay(to: stage), line)
    let outcome = try stage.send("Subject: 1\n\n", "a@y.test")
    #expect(outcome.code == 0 && stage.subjects == ["1"], "\(outcome)")
    #expect(stage.sink.commands.contains { $0.hasPrefix("AUTH") } == isOffered)
  }

  /// The message waits, and the reason is said.
  @Test(arguments: [
    ("exit 3", "smtp-command ended with status 3"), ("echo 554 not for you", "554 not for you"),
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
}
