import Synchronization
import TestSupport
import Testing

/// A log-in before the greeting is read where no setting speaks of it: after two clean runs, and never where that is not safe.
@Suite struct UnaskedEarlyLoginTests {
  /// An account, and whether its third and fourth run log in early.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var mechanisms = "plain"
    var scheme = "imaps"
    var hasToken = false
    var setting = ""
    /// What the log-in is made with.
    var login = "AUTHENTICATE PLAIN"
    var isEarly = false
  }

  @Test(arguments: [
    Way(testDescription: "nothing against it", isEarly: true),
    Way(testDescription: "it is wanted", setting: "early-login = true", isEarly: true),
    Way(testDescription: "it is not wanted", setting: "early-login = false"),
    Way(testDescription: "SCRAM is offered beside PLAIN", mechanisms: "plain scram-sha-1"),
    Way(
      testDescription: "SCRAM is used",
      mechanisms: "plain scram-sha-256",
      login: "AUTHENTICATE SCRAM-SHA-256"
    ),
    Way(
      testDescription: "a token",
      mechanisms: "plain xoauth2",
      hasToken: true,
      login: "AUTHENTICATE XOAUTH2"
    ),
    Way(testDescription: "STARTTLS", scheme: "imap"),
    Way(testDescription: "no certificate", scheme: "imap+plain"),
  ])
  func theThirdRunIsEarly(_ way: Way) throws {
    var options = DovecotOptions()
    options.mechanisms = way.mechanisms
    let stage = try Stage(options)
    try stage.imap.append(mail("one"))
    let token = way.hasToken ? try Dovecot.token(for: stage.user) : ""
    try stage.configure(
      url: ["imaps": stage.server.tlsURL, "imap": stage.server.startTLSURL][way.scheme]
        ?? stage.server.clearURL,
      secret: way.hasToken
        ? "token-command = [\"printf\", \"%s\\\\n\", \"\(token)\"]" : "password = \"pass\"",
      account: way.setting
    )
    for number in 1...4 {
      let outcome = try stage.syncWell("-v", "--trace")
      let trace = outcome.output + outcome.errors
      let login = try #require(trace.firstRange(of: "C: "), "\(outcome)")
      let greeting = try #require(trace.firstRange(of: "S: * OK"), "\(outcome)")
      #expect(trace.contains(way.login), "\(outcome)")
      let isEarly = login.lowerBound < greeting.lowerBound
      #expect(isEarly == (way.isEarly && number > 2), "run \(number): \(outcome)")
    }
    try stage.expectMirrored()
  }

  /// What a server does that does not take it: that costs one connection, once.
  @Test(arguments: [
    EarlyLoginTests.Habit(
      testDescription: "drops it",
      greeting: [.awaitInput(seconds: 5), .dropInput, .close]
    ),
    EarlyLoginTests.Habit(
      testDescription: "breaks the connection",
      greeting: [.awaitInput(seconds: 5), .reset]
    ),
    EarlyLoginTests.Habit(
      testDescription: "says goodbye",
      greeting: [.awaitInput(seconds: 5), .lines("* BYE you talk too early"), .close]
    ),
  ])
  func oneFailureEndsItFor(_ habit: EarlyLoginTests.Habit) throws {
    // The fourth connection is that of the usual log-in; the next ones would see what comes early again.
    let watching = [ScriptedServer.Action.awaitInput(seconds: 0.3), .lines(EarlyLoginTests.ready)]
    let greetings = [3: habit.greeting, 5: watching, 6: watching, 7: watching]
    let scene = try EarlyLoginScene(greetings, isBehindTLS: true)
    for _ in 0..<2 { #expect(try scene.run() == (0, 1)) }
    #expect(scene.memory.contains("clean-runs 2"), "\(scene.memory)")
    #expect(scene.earlyInputs == 0)
    #expect(try scene.run() == (habit.status, habit.connections))
    #expect(scene.earlyInputs == 1)
    #expect(scene.memory.contains("greeting awaited"), "\(scene.memory)")
    for _ in 0..<3 { #expect(try scene.run() == (0, 1)) }
    #expect(scene.earlyInputs == 1)
  }

  /// A line that is broken says nothing about the server.
  @Test func aFailureOfTheUsualLoginTooIsNotHeldAgainstIt() throws {
    let cut: [ScriptedServer.Action] = [.awaitInput(seconds: 0.3), .close]
    let scene = try EarlyLoginScene([3: cut, 4: cut, 5: cut, 6: cut], isBehindTLS: true)
    for _ in 0..<2 { #expect(try scene.run() == (0, 1)) }
    #expect(try scene.run().status != 0)
    #expect(!scene.memory.contains("greeting awaited"), "\(scene.memory)")
  }

  /// Not every server has a code for it.
  @Test(arguments: ["NO [AUTHENTICATIONFAILED] wrong", "NO wrong", "NO [ALERT] go away"])
  func aRefusedPasswordIsOfferedOnce(answer: String) throws {
    let isWrong = Atomic<Bool>(false)
    let early = [ScriptedServer.Action.awaitInput(seconds: 5), .lines(EarlyLoginTests.ready)]
    let scene = try EarlyLoginScene([3: early], isBehindTLS: true) { request in
      guard request.name == "AUTHENTICATE", isWrong.load(ordering: .relaxed) else { return nil }
      return [.dropInput, .lines("{tag} \(answer)")]
    }
    for _ in 0..<2 { #expect(try scene.run() == (0, 1)) }
    isWrong.store(true, ordering: .relaxed)
    #expect(try scene.run() == (77, 1))
    #expect(scene.earlyInputs == 1)
    #expect(scene.logins == 3)
    #expect(try scene.run() == (77, 0), "it was refused before")
    #expect(scene.logins == 3)
  }

  /// The first two runs are as they were, and the third takes a round trip less.
  @Test func theThirdRunTakesARoundTripLess() throws {
    let stage = try Stage()
    try stage.imap.append(mail("one"))
    // Other work on the machine may disturb one of the measurements.
    for attempt in 1...5 {
      let usual = try turns(stage, "early-login = false")
      let unasked = try turns(stage, "")
      if attempt < 5, unasked != [usual[0], usual[1], usual[2] - 1] { continue }
      #expect(unasked == [usual[0], usual[1], usual[2] - 1])
      return
    }
  }

  /// The round trips of the first three runs.
  private func turns(_ stage: Stage, _ setting: String) throws -> [Int] {
    Files.removeTree(stage.program.home["Mail"])
    Files.removeTree(stage.program.home[".local"])
    let proxy = try DelayProxy(to: stage.server.ports.tls, .delayed(0.01))
    try stage.configure(url: "imaps://localhost:\(proxy.port)", account: setting)
    return try (0..<3).map { _ in
      let before = proxy.counters.turns
      try stage.syncWell()
      return proxy.counters.turns - before
    }
  }
}
