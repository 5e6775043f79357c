import Synchronization
import TestSupport
import Testing

/// A log-in before the greeting is read: no run fails because of it, and no password is offered once more than without.
@Suite struct EarlyLoginTests {
  /// What a server does with what comes before its greeting, from the third run on.
  struct Habit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What it does when a connection is made.
    let greeting: [ScriptedServer.Action]
    /// The connections of the run in which the log-in is sent early for the first time.
    var connections = 2
    /// The status of that run.
    var status: Int32 = 0
    /// Whether it is remembered that this server wants its greeting to be awaited.
    var isRemembered = true
  }

  static let capabilities = PrefetchedCommandTests.capabilities
  static let welcome = "{tag} OK [CAPABILITY \(capabilities) MOVE] in"
  static let ready = "* OK [CAPABILITY \(capabilities)] ready"

  static let habits = [
    Habit(
      testDescription: "takes it",
      greeting: [.awaitInput(seconds: 5), .lines(ready)],
      connections: 1,
      isRemembered: false
    ),
    Habit(
      testDescription: "drops it",
      greeting: [.awaitInput(seconds: 5), .dropInput, .close]
    ),
    Habit(
      testDescription: "breaks the connection",
      greeting: [.awaitInput(seconds: 5), .reset]
    ),
    Habit(
      testDescription: "is logged in already",
      greeting: [.awaitInput(seconds: 5), .lines("* PREAUTH [CAPABILITY IMAP4rev1] hello")]
    ),
    Habit(
      testDescription: "is another server by now",
      greeting: [.awaitInput(seconds: 5), .lines("* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] other")]
    ),
    Habit(
      testDescription: "says goodbye",
      greeting: [.awaitInput(seconds: 5), .lines("* BYE down for maintenance"), .close],
      connections: 1,
      status: 69,
      isRemembered: false
    ),
  ]

  @Test(arguments: habits)
  func aServerThat(_ habit: Habit) throws {
    let scene = try EarlyLoginScene([3: habit.greeting], setting: "early-login = true")
    // The first run sees how it logs in, the second whether it takes commands behind the log-in.
    for _ in 0..<2 { #expect(try scene.run() == (0, 1)) }
    #expect(scene.memory.contains("log-in plain"), "\(scene.memory)")
    #expect(try scene.run() == (habit.status, habit.connections))
    #expect(scene.earlyInputs == 1)
    #expect(scene.memory.contains("greeting awaited") == habit.isRemembered, "\(scene.memory)")
    #expect(scene.memory.contains("pipelining works"))
    #expect(try scene.run(["test"]) == (0, 1))
    #expect(MaildirTree(scene.program.home["Mail/test"])["INBOX"].count == 1)
  }

  @Test func itIsNotSentUnlessItIsWanted() throws {
    let scene = try EarlyLoginScene(
      [3: [.awaitInput(seconds: 0.3), .lines(Self.ready)]],
      setting: "early-login = false"
    )
    for _ in 0..<3 { #expect(try scene.run() == (0, 1)) }
    #expect(scene.earlyInputs == 0)
  }

  @Test func aWrongPasswordIsOfferedOnce() throws {
    let isWrong = Atomic<Bool>(false)
    let greeting: [ScriptedServer.Action] = [.awaitInput(seconds: 5), .lines(Self.ready)]
    let scene = try EarlyLoginScene([3: greeting], setting: "early-login = true") { request in
      guard request.name == "AUTHENTICATE", isWrong.load(ordering: .relaxed) else { return nil }
      return [.dropInput, .lines("{tag} NO [AUTHENTICATIONFAILED] wrong")]
    }
    for _ in 0..<2 { #expect(try scene.run() == (0, 1)) }
    isWrong.store(true, ordering: .relaxed)
    #expect(try scene.run(["test"]) == (77, 1))
    #expect(scene.earlyInputs == 1)
  }

  /// A person may take minutes to give the secret, and servers hang up before: the log-in goes over another connection then.
  @Test func aSlowSecretFindsTheServerThere() throws {
    let scene = try EarlyLoginScene(
      [3: [.awaitInput(seconds: 2), .lines("* BYE idle for too long"), .close]],
      secret: "password-command = \"if test -e $HOME/slow; then sleep 4; fi; echo pass\"",
      setting: "early-login = true"
    )
    for _ in 0..<2 { #expect(try scene.run() == (0, 1)) }
    try scene.program.home.write("", to: "slow")
    #expect(try scene.run(["test"], ["MAGNUM_PATIENCE": "3000"]) == (0, 2))
    #expect(!scene.memory.contains("greeting awaited"), "\(scene.memory)")
  }

  /// A round trip less with a real server, and nothing else is different.
  @Test func aRealServerIsAskedOnceLess() throws {
    let stage = try Stage()
    try stage.imap.append(mail("one"))
    // Other work on the machine may disturb one of the measurements.
    var measured: [[Int]] = []
    while measured.count < 3, measured.last.map({ $0[1] != $0[0] - 1 }) ?? true {
      measured.append(try [false, true].map { try turns(stage, isEarly: $0) })
    }
    let last = try #require(measured.last)
    #expect(last[1] == last[0] - 1, "\(measured)")
  }

  /// The round trips of a sync with nothing to do.
  private func turns(_ stage: Stage, isEarly: Bool) throws -> Int {
    Files.removeTree(stage.program.home["Mail"])
    Files.removeTree(stage.program.home[".local"])
    let proxy = try DelayProxy(to: stage.server.ports.tls, .delayed(0.01))
    let url = "imaps://localhost:\(proxy.port)"
    try stage.configure(url: url, account: "early-login = \(isEarly)")
    for _ in 0..<3 { try stage.syncWell() }
    // On a busy machine an answer may come in two parts, or two in one, and a folder may be too young to be skipped.
    let turns = try (0..<5).map { _ in
      let before = proxy.counters.turns
      try stage.syncWell()
      return proxy.counters.turns - before
    }
    try stage.expectMirrored()
    let memory = Files.text(stage.program.home[".local/state/magnum/accounts/test/server"]) ?? ""
    #expect(!memory.contains("greeting awaited"), "\(memory)")
    return turns.sorted()[2]
  }
}
