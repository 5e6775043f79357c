import Synchronization
import TestSupport
import Testing

/// Commands behind a log-in whose outcome is open: no run fails because of them, whatever the server makes of them.
@Suite struct PrefetchedCommandTests {
  /// What a server does with them.
  struct Habit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The answer to AUTHENTICATE when commands are behind it.
    let answer: [ScriptedServer.Action]
    /// The connections of the run in which they are tried.
    let connections: Int
    /// What is remembered.
    let memory: String
  }

  static let capabilities =
    "IMAP4rev1 SASL-IR AUTH=PLAIN LITERAL+ CONDSTORE LIST-STATUS ENABLE QRESYNC ID"
  static let welcome = "{tag} OK [CAPABILITY \(capabilities)] in"

  static let habits = [
    Habit(
      testDescription: "takes them",
      answer: [.lines(welcome)],
      connections: 1,
      memory: "pipelining works"
    ),
    Habit(
      testDescription: "drops them",
      answer: [.dropInput, .lines(welcome)],
      connections: 2,
      memory: "pipelining fails"
    ),
    Habit(
      testDescription: "reads them as part of the log-in",
      answer: [.dropInput, .lines(welcome, "{tag} BAD Already authenticated")],
      connections: 2,
      memory: "pipelining fails"
    ),
    Habit(
      testDescription: "answers with tags of its own",
      answer: [.dropInput, .lines(welcome, "X9 OK what?")],
      connections: 2,
      memory: "pipelining fails"
    ),
    Habit(
      testDescription: "does not understand the log-in any more",
      answer: [.dropInput, .lines("{tag} BAD Invalid base64")],
      connections: 2,
      memory: "pipelining fails"
    ),
    Habit(
      testDescription: "refuses the log-in",
      answer: [.dropInput, .lines("{tag} NO improper command pipelining")],
      connections: 2,
      memory: "pipelining fails"
    ),
    Habit(
      testDescription: "hangs up with a word",
      answer: [.lines("* BYE too much input"), .close],
      connections: 2,
      memory: "pipelining fails"
    ),
    Habit(
      testDescription: "hangs up",
      answer: [.close],
      connections: 2,
      memory: "pipelining fails"
    ),
    Habit(
      testDescription: "breaks the connection",
      answer: [.reset],
      connections: 2,
      memory: "pipelining fails"
    ),
  ]

  /// Counts over threads.
  final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add() { number.add(1, ordering: .relaxed) }
  }

  /// A server with such a habit, and the program.
  final class Scene {
    let server: FakeMailServer
    let program: ProgramUnderTest
    /// How many log-ins had commands behind them.
    var earlyCount: Int { early.value }

    private let early: Counter

    init(
      _ capabilities: String = PrefetchedCommandTests.capabilities,
      _ habit: @escaping @Sendable () -> Habit
    ) throws {
      var inbox = FakeMailServer.Mailbox("INBOX", [.init(1, "Subject: one\r\n\r\ntext\r\n")])
      inbox.modSequence = 7
      let early = Counter()
      self.early = early
      server = try FakeMailServer([inbox], capabilities: capabilities) { request in
        guard request.name == "AUTHENTICATE", request.isFollowed else { return nil }
        early.add()
        return habit().answer
      }
      program = try ProgramUnderTest()
      try program.configure(at: server.clearURL, "[account.test.sync]\ndirection = \"pull\"")
    }

    /// Runs, expects that all is well, and gives the number of connections that it took.
    func run(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int {
      let before = server.connectionCount
      let outcome = try program.command(["-v"]).run()
      #expect(outcome.code == 0, "\(outcome)", sourceLocation: sourceLocation)
      return server.connectionCount - before
    }

    var memory: String {
      Files.text(program.home[".local/state/magnum/accounts/test/server"]) ?? ""
    }
  }

  @Test(arguments: habits)
  func aServerThat(_ habit: Habit) throws {
    let scene = try Scene { habit }
    #expect(try scene.run() == 1)
    #expect(
      !scene.memory.contains("pipelining"),
      "nothing is sent early to a server that was not seen before"
    )
    #expect(try scene.run() == habit.connections)
    #expect(scene.memory.contains(habit.memory), "\(scene.memory)")
    #expect(try scene.run() == 1)
    #expect(try scene.run() == 1)
    #expect(scene.memory.contains(habit.memory), "\(scene.memory)")
    #expect(scene.earlyCount == (habit.connections == 1 ? 3 : 1), "it is used, or tried once")
    let tree = MaildirTree(scene.program.home["Mail/test"])
    #expect(tree["INBOX"].count == 1)
  }

  /// What worked for long may end one day, and does not end the run.
  @Test func aServerThatDoesNotTakeThemAnyMore() throws {
    for later in Self.habits.dropFirst().prefix(4) {
      let isLater = Atomic<Bool>(false)
      let scene = try Scene { isLater.load(ordering: .relaxed) ? later : Self.habits[0] }
      for _ in 0..<3 { #expect(try scene.run() == 1) }
      isLater.store(true, ordering: .relaxed)
      #expect(try scene.run() == 2, "\(later.testDescription)")
      #expect(scene.memory.contains("pipelining fails"), "\(later.testDescription)")
      #expect(try scene.run() == 1, "\(later.testDescription)")
    }
  }

  /// A wrong password is one, and is offered once, wherever the server says so plainly.
  @Test func aWrongPasswordIsNoTrouble() throws {
    let isWrong = Atomic<Bool>(false)
    let refusal = Habit(
      testDescription: "refuses the password",
      answer: [.lines("{tag} NO [AUTHENTICATIONFAILED] wrong")],
      connections: 1,
      memory: ""
    )
    let scene = try Scene { isWrong.load(ordering: .relaxed) ? refusal : Self.habits[0] }
    #expect(try scene.run() == 1)
    isWrong.store(true, ordering: .relaxed)
    let before = scene.server.connectionCount
    #expect(try scene.program.command(["test"]).run().code == 77)
    #expect(scene.server.connectionCount - before == 1)
  }
}
