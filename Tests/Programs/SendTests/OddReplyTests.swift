import Glibc
import TestSupport
import Testing

/// Replies that servers give and standards do not foresee: they cost no message, and stop no account.
@Suite struct OddReplyTests {
  private let stage: SendStage

  init() throws {
    stage = try SendStage()
  }

  private func configure(_ server: ScriptedServer, _ lines: String = "") throws {
    try stage.configure(lines, server: "smtp+plain://127.0.0.1:\(server.port)")
  }

  private func ends(_ server: ScriptedServer) -> Int { server.requests.count { $0 == "." } }

  /// Who is taken without a sender would get the empty message that is meant for nobody.
  @Test func noEmptyMessageIsSentToAnybody() throws {
    let server = try OddServer.start { command, connection in
      command.hasPrefix("MAIL") && connection == 1 ? [.lines("451 4.7.1 later")] : nil
    }
    try configure(server)
    let outcome = try stage.send("Subject: 1\n\n", "a@x.test")
    #expect(outcome.code == 0 && outcome.errors.contains("queued: 451 4.7.1 later"), "\(outcome)")
    #expect(ends(server) == 0 && stage.entries("queue").count == 1)
    try stage.flush()
    #expect(ends(server) == 1 && stage.entries("queue") == [])
  }

  /// Codes of the log-in, said to a recipient or a message, are about these.
  @Test(arguments: [530, 534, 535, 538], [false, true])
  func aRefusalOfOneMessageStopsNoOther(_ code: Int, _ logsIn: Bool) throws {
    let server = try OddServer.start(offering: ["PIPELINING", "AUTH PLAIN"]) { command, _ in
      command.hasPrefix("RCPT TO:<bad@") ? [.lines("\(code) 5.7.1 no relaying")] : nil
    }
    try configure(server, logsIn ? "password = \"secret\"" : "")
    let refused = try stage.send("Subject: 1\n\n", "bad@x.test")
    #expect(refused.code == 0 && refused.errors.contains("bad@x.test refused: \(code) 5.7.1"))
    let taken = try stage.send("Subject: 2\n\n", "a@x.test")
    #expect(taken.code == 0 && taken.errors == "", "\(taken)")
    #expect(stage.entries("failed").count == 1 && stage.entries("queue") == [])
    #expect(!Files.exists("\(stage.spool)/state"), "the account is not to blame")
  }

  /// What a server offers no log-in with, or refuses EHLO with, passes, as do servers that are away.
  @Test(arguments: ["250-odd\r\n250 SIZE", "250 odd", "554 5.3.2 overloaded", "500 what"])
  func aServerThatForgetsItsLogInIsAskedAgain(_ reply: String) throws {
    let server = try OddServer.start(offering: ["AUTH PLAIN"]) { command, connection in
      if command.hasPrefix("HELO") { return [.lines("250 odd")] }
      return command.hasPrefix("EHLO") && connection == 1 ? [.lines(reply)] : nil
    }
    try configure(server, "password = \"secret\"")
    let first = try stage.send("Subject: 1\n\n", "a@x.test")
    #expect(first.code == 0 && first.errors.contains("queued: "), "\(first)")
    let block = Files.text("\(stage.spool)/state") ?? ""
    #expect(block.contains("Reason: unreachable\n") && block.contains("Failures: 1\n"), "\(block)")
    #expect(!server.requests.contains { $0.hasPrefix("FROM:") } && server.connectionCount == 1)
    #expect(first.errors.contains(reply.hasPrefix("250") ? "cannot log in" : reply), "\(first)")
    let second = try stage.send("Subject: 2\n\n", "a@x.test")
    #expect(second.code == 0 && second.errors == "", "\(second)")
    #expect(ends(server) == 2 && stage.entries("queue") == [])
    #expect(!Files.exists("\(stage.spool)/state"))
  }

  /// The time is that of one reply, not of all that come before the server wants the message.
  @Test(arguments: [["PIPELINING"], []])
  func everyReplyHasItsOwnTime(_ extensions: [String]) throws {
    let server = try OddServer.start(offering: extensions) { command, _ in
      switch command.prefix(4) {
      case "MAIL", "RCPT": [.pause(0.6), .lines("250 ok")]
      case "DATA": [.pause(0.6), .lines("354 go on")]
      default: nil
      }
    }
    try configure(server)
    let recipients = ["a@x.test", "b@x.test", "c@x.test"]
    let variables = ["MAGNUM_PATIENCE": "2000"]
    let outcome = try stage.command("Subject: 1\n\n", recipients, variables).run()
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(ends(server) == 1 && stage.entries("queue") == [])
  }

  /// A reply to the end of a message for each of its recipients: those that come late are no replies to the next message.
  @Test(arguments: [["PIPELINING"], []])
  func aReplyTooManyRefusesNobody(_ extensions: [String]) throws {
    let server = try OddServer.start(offering: extensions) { command, connection in
      switch command {
      case _ where command.hasPrefix("RCPT TO:<bad@"): [.lines("550 5.1.1 no such user")]
      case _ where command.hasPrefix("MAIL FROM:<two@") && connection == 1:
        [.lines("250 2.0.0 b has it", "250 2.0.0 ok")]
      default: nil
      }
    }
    try configure(server)
    #expect(try stage.send("Subject: 1\n\n", "-odq", "a@x.test", "b@x.test").code == 0)
    let second = ["-odq", "-f", "two@x.test", "good@x.test", "bad@x.test"]
    #expect(try stage.command("Subject: 2\n\n", second).run().code == 0)
    try stage.flush()
    #expect(server.connectionCount == 2 && stage.entries("queue") == [])
    #expect(ends(server) == 2, "\(server.requests)")
    let failed = try #require(stage.entries("failed").first)
    #expect(stage.entries("failed").count == 1)
    let log = stage.log(of: failed)
    #expect(log.contains(" accepted "), "\(log)")
    #expect(log.split(separator: "\n").count { $0.contains(" refused ") } == 1, "\(log)")
  }

  /// Any other status would have the caller send it once more.
  @Test(arguments: [
    [SIGINT, SIGINT], [SIGTERM, SIGINT], [SIGQUIT, SIGQUIT], [SIGALRM, SIGTERM],
    [SIGXCPU, SIGUSR1], [SIGUSR2, SIGXCPU],
  ])
  func noSignalDeniesThatAMessageIsInTheQueue(_ signals: [Int32]) throws {
    let server = try OddServer.start { command, _ in command == "." ? [.stall] : nil }
    try configure(server)
    var command = stage.command("Subject: 1\n\n", ["a@x.test"])
    command.timeLimit = 60
    let running = try command.start()
    #expect(Stopwatch.wait(upTo: 50) { ends(server) == 1 })
    for signal in signals {
      #expect(!running.hasEnded, "the reply is waited for")
      running.signal(signal)
      Stopwatch.sleep(0.3)
    }
    let outcome = running.wait()
    #expect(outcome.code == 0, "\(outcome)")
    #expect(stage.entries("queue").count == 1)
  }

  /// A log of deliveries that may not grow is no reason to say that a message was not sent.
  @Test func noLimitOfFilesDeniesThatAMessageIsSent() throws {
    let server = try OddServer.start { _, _ in nil }
    try configure(server)
    let script = "head -c 102400 /dev/zero >~/deliveries; ulimit -f 100; exec \"$0\" \"$@\""
    var command = stage.command("Subject: 1\n\n", ["--wait", "a@x.test"])
    command.arguments = ["-c", script, command.program] + command.arguments
    command.program = "/bin/sh"
    let outcome = try command.run()
    #expect(outcome.code == 0, "\(outcome)")
    let words = ["magnum-send: the delivery log cannot be written: ", "hint: "]
    #expect(zip(outcome.errorLines, words).allSatisfy { $0.hasPrefix($1) }, "\(outcome)")
    #expect(
      outcome.errorLines.count == 2 && outcome.errors.contains("mail is sent all the same"),
      "\(outcome)"
    )
    #expect(ends(server) == 1 && stage.entries("queue") == [])
  }

  @Test func aRefusalAtTheEndOfOneMessageStopsNoOther() throws {
    let server = try OddServer.start { command, connection in
      command == "." && connection == 1 ? [.lines("535 5.7.8 not this one")] : nil
    }
    try configure(server)
    let refused = try stage.send("Subject: 1\n\n", "a@x.test")
    #expect(refused.errors.contains("refused: 535 5.7.8 not this one"), "\(refused)")
    #expect(try stage.send("Subject: 2\n\n", "a@x.test").errors == "")
    #expect(stage.entries("failed").count == 1 && stage.entries("queue") == [])
  }
}
