import TestSupport
import Testing

/// What one message, or an hour without a network, does to the others of an account.
@Suite struct BlockingTests {
  private let stage: SendStage

  init() throws {
    stage = try SendStage()
  }

  private func queue(_ subject: String, _ recipient: String) throws {
    #expect(try stage.send("Subject: \(subject)\n\n", "--no-try", recipient).code == 0)
  }

  @Test(arguments: ["h421", "drop", "w450", "p554"])
  func aMessageAtWhichTheServerHangsUpBlocksNoOther(_ name: String) throws {
    try queue("poison", "\(name)@x.test")
    for number in 1...3 { try queue("\(number)", "a@x.test") }
    try stage.flush()
    #expect(stage.subjects == ["1", "2", "3"])
    let left = stage.entries("queue") + stage.entries("failed")
    #expect(left.count == 1)
    let log = stage.log(of: try #require(left.first))
    #expect(log.contains(name == "p554" ? " refused 1 " : " deferred 1 "), "it counts: \(log)")
    #expect(!Files.exists("\(stage.spool)/state"), "the account is not to blame")
  }

  @Test func twoMessagesInARowSpeakForTheAccountAndYetBlockNoOther() throws {
    for number in 1...2 { try queue("poison \(number)", "drop\(number)@x.test") }
    for number in 1...3 { try queue("\(number)", "a@x.test") }
    try stage.flush()
    #expect(stage.sink.messages.isEmpty && stage.sink.connectionCount == 2)
    #expect(Files.text("\(stage.spool)/state")?.contains("Reason: unreachable\n") ?? false)
    try stage.flush()
    #expect(stage.subjects == ["1", "2", "3"])
    #expect(stage.entries("queue").count == 2)
  }

  /// Else all of them would fail together when their time is over.
  @Test(arguments: ["h421", "drop", "w450", "p554"])
  func aRecipientAtWhichTheServerHangsUpBlocksNoOther(_ name: String) throws {
    let recipients = ["a@x.test", "\(name)@x.test", "p550@x.test", "b@x.test"]
    #expect(try stage.command("Subject: 1\n\n", ["--no-try"] + recipients).run().code == 0)
    try stage.flush()
    #expect(stage.sink.messages.flatMap(\.to).sorted() == ["<a@x.test>", "<b@x.test>"])
    #expect(stage.entries("queue").count == (name == "p554" ? 0 : 1))
    try stage.flush()
    #expect(stage.sink.messages.count <= 2, "it is not sent again to those that have it")
    #expect(!Files.exists("\(stage.spool)/state"))
  }

  private static let steps = ["mail", "rcpt", "data", "text", "end"]
  private static let faults = ["421", "450", "drop", "stall"]

  /// Whatever a server does at a command of one message, the others get through, each once.
  @Test(arguments: steps, faults)
  func aFaultAtAnyCommandBlocksNoOther(_ step: String, _ fault: String) throws {
    // In the midst of the text there is no place for a reply: it stands for the end.
    let poison = "at-\(step)-\(fault)@x.test"
    #expect(try stage.send("Subject: poison\n\n", "--no-try", "-f", poison, poison).code == 0)
    for number in 1...3 { try queue("\(number)", "a@x.test") }
    for _ in 1...2 { try flush(fault) }
    #expect(stage.subjects == ["1", "2", "3"])
    let left = stage.entries("queue")
    #expect(left.count == 1 && stage.entries("failed") == [] && stage.entries("hold") == [])
    let log = stage.log(of: try #require(left.first))
    #expect(log.contains(" deferred 1 ") || log.contains(" unanswered 1 "), "it counts: \(log)")
    #expect(!Files.exists("\(stage.spool)/state"), "the account is not to blame")
  }

  /// Of several recipients of one message only the one at which the server fails waits.
  ///
  /// A reply to DATA, to the text or its end is about the message, which then waits for all of them.
  @Test(
    arguments: [
      "rcpt-421", "rcpt-450", "rcpt-drop", "rcpt-stall", "data-421", "data-drop", "data-stall",
    ]
  )
  func aFaultAtOneRecipientBlocksNoOther(_ fault: String) throws {
    let recipients = ["a@x.test", "at-\(fault)@x.test", "b@x.test"]
    #expect(try stage.command("Subject: 1\n\n", ["--no-try"] + recipients).run().code == 0)
    try queue("2", "c@x.test")
    for _ in 1...3 { try flush(fault) }
    let served = ["<a@x.test>", "<b@x.test>", "<c@x.test>"]
    #expect(stage.sink.messages.flatMap(\.to).sorted() == served)
    #expect(stage.entries("queue").count == 1 && stage.entries("failed") == [])
    #expect(!Files.exists("\(stage.spool)/state"))
  }

  /// Waits in milliseconds for an answer that does not come, and long enough for those that do.
  private func flush(_ fault: String) throws {
    let patience = fault.hasSuffix("stall") ? "1000" : "30000"
    #expect(try stage.flush(variables: ["MAGNUM_PATIENCE": patience]).code == 0)
  }

  @Test func whatIsHandedInNowIsTriedWhateverWaits() throws {
    for number in 1...3 { try queue("poison \(number)", "h421.\(number)@x.test") }
    let outcome = try stage.send("Subject: new\n\n", "a@x.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(stage.subjects == ["new"])
    #expect(stage.entries("queue").count == 3)
  }

  @Test func backOnlineTheNextMessageTakesAllOthersAlong() throws {
    let port = try Loopback.freePort()
    try stage.configure(server: "smtp+plain://127.0.0.1:\(port)")
    for number in 1...3 {
      let outcome = try stage.send("Subject: \(number)\n\n", "a@x.test")
      #expect(outcome.errors.contains("queued: cannot connect"), "\(outcome)")
    }
    let block = Files.text("\(stage.spool)/state") ?? ""
    #expect(block.contains("Failures: 1\n"), "an attempt out of turn puts nothing off: \(block)")
    let sink = try SMTPSink(port: port)
    let outcome = try stage.send("Subject: 4\n\n", "a@x.test")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(sink.messages.count == 4 && sink.messages.last?.text.contains("Subject: 4") ?? false)
    #expect(!Files.exists("\(stage.spool)/state"))
  }

  @Test func theReasonToldIsThatOfNow() throws {
    let port = try Loopback.freePort()
    try stage.configure(server: "smtp+plain://127.0.0.1:\(port)")
    #expect(try stage.send("Subject: 1\n\n", "a@x.test").errors.contains("refused"))
    var options = SMTPSink.Options()
    options.greeting = "421 4.3.2 closed for tonight"
    let sink = try SMTPSink(options, port: port)
    let outcome = try stage.send("Subject: 2\n\n", "a@x.test")
    #expect(outcome.errors.contains("closed for tonight"), "\(outcome)")
    #expect(sink.connectionCount == 1)
  }
}
