import Glibc
import Synchronization
import TestSupport
import Testing

/// Servers that do not read, or answer, behind the end of a message as they should: each message is sent once, and none is to
/// blame for it.
@Suite struct PipeliningServerTests {
  private let stage: SendStage

  init() throws { stage = try SendStage() }

  private func flush(
    _ count: Int,
    through server: ScriptedServer,
    patience: String = "30000"
  ) throws -> Outcome {
    try stage.configure(server: "smtp+plain://127.0.0.1:\(server.port)")
    for number in 1...count {
      let text = "Subject: \(number)\n\ntext\n"
      #expect(try stage.send(text, "--no-try", "a\(number)@x.test").code == 0)
    }
    return try stage.flush(variables: ["MAGNUM_PATIENCE": patience])
  }

  private func ends(_ server: ScriptedServer) -> Int { server.requests.count { $0 == "." } }

  private func expectAllSent(_ outcome: Outcome, _ count: Int, _ server: ScriptedServer) {
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(ends(server) == count, "\(server.requests)")
    for number in 1...count {
      #expect(server.requests.count { $0 == "\(number)" } == 1, "message \(number)")
    }
    for state in ["queue", "failed", "hold", "log"] { #expect(stage.entries(state) == []) }
    #expect(!Files.exists("\(stage.spool)/state"), "the account is not to blame")
  }

  /// It offers PIPELINING, and throws away what it has read behind the end of a message: that is waited for once.
  @Test func whatComesBehindTheEndIsThrownAway() throws {
    let server = try OddServer.start { command, _ in
      command == "." ? [.dropInput, .lines("250 2.0.0 ok")] : nil
    }
    let outcome = try flush(4, through: server, patience: "1000")
    expectAllSent(outcome, 4, server)
    #expect(server.connectionCount == 2)
  }

  /// One message a connection, with a word or without.
  @Test(arguments: ["421 4.7.0 one message only", "452 4.5.3 too many", ""])
  func oneMessageAConnection(_ word: String) throws {
    let messages = Mutex<[Int: Int]>([:])
    let server = try OddServer.start { command, connection in
      let count = messages.withLock { messages in
        if command == "." { messages[connection, default: 0] += 1 }
        return messages[connection] ?? 0
      }
      if command == ".", word.isEmpty { return [.lines("250 2.0.0 ok"), .close] }
      guard command.hasPrefix("MAIL"), count == 1 else { return nil }
      return word.hasPrefix("421") ? [.lines(word), .close] : [.lines(word)]
    }
    let outcome = try flush(3, through: server)
    guard word.hasPrefix("452") else {
      expectAllSent(outcome, 3, server)
      #expect(server.connectionCount == 3)
      return
    }
    // A message that is refused for now waits, as ever. This server wants its text all the same, which ends the connection.
    #expect(outcome.code == 0 && ends(server) == 2 && stage.entries("queue").count == 1)
    #expect(server.connectionCount == 2)
  }

  /// Each command is read when the one before is answered, and each answer is late.
  @Test func aServerThatAnswersOneCommandAtATime() throws {
    let server = try OddServer.start { command, _ in
      switch command.prefix(4) {
      case "MAIL", "RCPT", ".": [.pause(0.05), .lines("250 2.0.0 ok")]
      case "DATA": [.pause(0.05), .send("35"), .pause(0.05), .send("4 go on\r\n")]
      default: nil
      }
    }
    expectAllSent(try flush(3, through: server), 3, server)
    #expect(server.connectionCount == 1)
  }

  /// It waits for the message although it has refused MAIL, or all recipients: a dot, and its answer, or the end.
  @Test(arguments: ["RCPT TO:<a2@", "MAIL"]) func aMessageIsWantedForNobody(
    _ refused: String
  ) throws {
    let mails = Atomic<Int>(0)
    let server = try OddServer.start { command, _ in
      if command.hasPrefix("MAIL") { mails.add(1, ordering: .relaxed) }
      let isSecond = mails.load(ordering: .relaxed) == 2
      guard command.hasPrefix(refused), isSecond || refused != "MAIL" else { return nil }
      return [.lines("550 5.7.1 no")]
    }
    let outcome = try flush(3, through: server)
    #expect(outcome.code == 0 && stage.entries("failed").count == 1, "\(outcome)")
    // Behind MAIL that was refused, the recipient is taken: what is sent then would reach that one.
    let isHungUp = refused == "MAIL"
    #expect(ends(server) == (isHungUp ? 2 : 3), "\(server.requests)")
    #expect(server.requests.contains("1") && server.requests.contains("3"))
    #expect(!server.requests.contains("2") && stage.entries("queue") == [])
    #expect(server.connectionCount == (isHungUp ? 2 : 1))
  }

  /// A command about the next message is carried out while the server has its envelope already, and its text is not sent.
  @Test(arguments: ["hold", "discard"]) func theNextMessageIsStopped(_ word: String) throws {
    let stop = Stop(stage, word)
    let server = try OddServer.start { command, connection in
      if command == ".", connection == 1 { stop.run() }
      return nil
    }
    let outcome = try flush(3, through: server)
    #expect(stop.outcome?.code == 0, "\(String(describing: stop.outcome))")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(server.requests.contains("FROM:<me@x.test>") && ends(server) == 2)
    #expect(!server.requests.contains("2") && server.requests.contains("3"))
    #expect(server.requests.count { $0.hasPrefix("TO:<a2@") } == 1, "it was announced")
    #expect(stage.entries(word == "hold" ? "hold" : "discarded").count == 1)
    #expect(stage.entries("queue") == [])
  }

  /// A command about the second entry of the queue, once.
  private final class Stop: Sendable {
    private let home: String
    private let program: Command
    private let queue: String
    private let done = Mutex<Outcome?>(nil)

    init(_ stage: SendStage, _ word: String) {
      home = stage.program.home.path
      queue = "\(stage.spool)/queue"
      var command = stage.program.command(["queue", word])
      command.program = "\(ProgramUnderTest.products)/magnum"
      program = command
    }

    var outcome: Outcome? { done.withLock { $0 } }

    func run() {
      let names = Files.names(in: queue).map { String(decoding: $0, as: UTF8.self) }.sorted()
      guard outcome == nil, names.count > 1 else { return }
      var command = program
      command.arguments.append(names[1])
      let outcome = try? command.run()
      done.withLock { $0 = outcome }
    }
  }
}

/// Servers that take messages as chunks, and fail.
@Suite struct ChunkServerTests {
  private let stage: SendStage

  init() throws { stage = try SendStage() }

  private func flush(
    _ count: Int,
    _ poison: [Int: String] = [:],
    patience: String = "30000"
  ) throws -> Outcome {
    stage.sink.change { $0.extensions = ["PIPELINING", "CHUNKING"] }
    for number in 1...count {
      let address = "\(poison[number] ?? "a")@x.test"
      let words = ["--no-try", "-f", address, address]
      #expect(try stage.command("Subject: \(number)\n\n", words).run().code == 0)
    }
    return try stage.flush(variables: ["MAGNUM_PATIENCE": patience])
  }

  /// Whatever a server does at one message of several that go together: each is sent, and once where it is known to be.
  @Test(
    arguments: ["mail", "rcpt", "data", "end"],
    ["421", "450", "drop", "stall"]
  )
  func aFaultAtOneOfThem(_ step: String, _ fault: String) throws {
    let patience = fault == "stall" ? "1000" : "30000"
    let outcome = try flush(10, [5: "at-\(step)-\(fault)"], patience: patience)
    #expect(outcome.code == 0, "\(outcome)")
    for _ in 1...2 { try stage.flush(variables: ["MAGNUM_PATIENCE": patience]) }
    let expected = (1...10).filter { $0 != 5 }.map { "\($0)" }
    #expect(stage.subjects.sorted() == expected.sorted(), "each once: \(stage.subjects)")
    let left = stage.entries("queue")
    #expect(left.count == 1 && stage.entries("failed") == [] && stage.entries("hold") == [])
    #expect(!Files.exists("\(stage.spool)/state"), "the account is not to blame")
  }

  /// Those behind a message over which the connection breaks may be there, and their logs say so; behind 421 they are not.
  @Test(arguments: ["drop", "421"]) func whatIsBehindAFault(_ fault: String) throws {
    let outcome = try flush(10, [5: "at-rcpt-\(fault)"])
    #expect(outcome.code == 0, "\(outcome)")
    let left = stage.entries("queue")
    let uncertain = left.filter { stage.log(of: $0).contains(" unanswered 1 ") }
    // Those of which the end was not sent when the connection broke are sent over the next one.
    #expect(fault == "drop" ? (1...6).contains(uncertain.count) : uncertain.isEmpty, "\(left)")
    #expect(left.count == max(1, uncertain.count), "\(left.map(stage.log(of:)))")
    let sent = 10 - max(1, uncertain.count)
    #expect(stage.subjects.count == sent && Set(stage.subjects).count == sent)
    #expect(!stage.subjects.contains("5") && stage.subjects.prefix(4) == ["1", "2", "3", "4"])
  }

  /// A recipient for whom the log-in is wanted stops the account, whichever message it is.
  @Test func whatConcernsTheAccountStopsIt() throws {
    let isChunk = Atomic<Bool>(false)
    let server = try OddServer.start(offering: ["PIPELINING", "CHUNKING"]) { command, _ in
      switch command.prefix(4) {
      case "RCPT" where command.contains("<a5@"): return [.lines("530 5.7.0 log in first")]
      case "DATA", "BDAT":
        isChunk.store(command != "DATA", ordering: .relaxed)
        return command == "DATA" ? nil : []
      // The last line of a message: the answer to a chunk comes behind it.
      case "text": return isChunk.load(ordering: .relaxed) ? [.lines("250 2.0.0 ok")] : nil
      default: return nil
      }
    }
    try stage.configure(server: "smtp+plain://127.0.0.1:\(server.port)")
    for number in 1...12 {
      let words = ["--no-try", "a\(number)@x.test"]
      #expect(try stage.command("Subject: \(number)\n\ntext\n", words).run().code == 0)
    }
    try stage.flush()
    #expect(server.connectionCount == 1)
    #expect(Files.text("\(stage.spool)/state")?.contains("Reason: ") ?? false)
    #expect(server.requests.count { $0.hasSuffix(" LAST") } == 8)
    #expect(stage.entries("queue").count == 3, "the one, and those behind the flight")
  }

  /// Commands reach the messages that are not on their way.
  @Test func theOthersAreStopped() throws {
    stage.sink.change { $0.extensions = ["PIPELINING", "CHUNKING"] }
    for number in 1...14 {
      let judge = (3...6).contains(number) ? "X-Judge: slow\n" : ""
      let text = "Subject: \(number)\n\(judge)\n"
      #expect(try stage.send(text, "--no-try", "a@x.test").code == 0)
    }
    let entries = stage.entries("queue")
    let flush = try stage.program.command(["-q"]).start()
    #expect(Stopwatch.wait(upTo: 30) { stage.sink.commands.contains { $0.hasPrefix("BDAT") } })
    var hold = stage.program.command(["queue", "hold", entries[12], entries[13]])
    hold.program = "\(ProgramUnderTest.products)/magnum"
    let held = try hold.run()
    #expect(held.code == 0, "\(held)")
    #expect(flush.wait().code == 0)
    #expect(stage.subjects == (1...12).map { "\($0)" })
    #expect(stage.entries("hold") == [entries[12], entries[13]])
  }
}
