import Glibc
import TestSupport
import Testing

/// Once the server has the refresh token nothing ends a program before the answer is kept, and it ends then.
@Suite struct OAuthInterruptionTests {
  /// A sync whose connection fails while the token is renewed ends once the answer is kept.
  @Test func aConnectionThatFailsLosesNoLogin() throws {
    let stage = try OAuthStage.expired()
    let server = try ScriptedServer(
      greeting: [.pause(1), .lines("* BYE [UNAVAILABLE] later"), .close]
    ) { _ in [.close] }
    try stage.configure(imap: "imap+plain://localhost:\(server.port)")
    try stage.authority.set("{\"token\": \"slow-3\"}")
    let old = stage.value("refresh-token")
    let sync = try stage.mirror()
    #expect(sync.code == 75, "\(sync)")
    #expect(stage.value("refresh-token") != old)
    let next = try stage.accounts("token", "test")
    #expect(next.code == 0, "\(next)")
    #expect(stage.requests("refresh_token").last == "POST /token refresh_token 200")
  }

  /// Which program is ended while the token is renewed, and by what.
  struct End: Sendable, CustomTestStringConvertible {
    let words: [String]
    let signals: [Int32]
    var isForGroup = false

    var testDescription: String { "\(words) \(signals)\(isForGroup ? " group" : "")" }
  }

  @Test(
    arguments: [
      End(words: ["accounts", "token", "test"], signals: [SIGTERM]),
      End(words: ["accounts", "token", "test"], signals: [SIGINT], isForGroup: true),
      End(words: ["accounts", "token", "test"], signals: [SIGTERM, SIGINT, SIGHUP]),
      End(words: ["watch", "test"], signals: [SIGTERM], isForGroup: true),
      End(words: ["watch", "test"], signals: [SIGHUP, SIGTERM]),
    ]
  )
  func aSignalLosesNoLogin(_ end: End) throws {
    let stage = try OAuthStage.expired()
    try stage.authority.set("{\"token\": \"slow-3\"}")
    let old = stage.value("refresh-token")
    let run = try stage.program.command(end.words, stage.variables).start()
    let isTaken = Stopwatch.wait(upTo: 60) {
      stage.requests("refresh_token").contains("POST /token refresh_token taken")
    }
    #expect(isTaken, "\(run.errorsSoFar)")
    for signal in end.signals {
      if end.isForGroup { kill(-run.identifier, signal) } else { run.signal(signal) }
      Stopwatch.sleep(0.1)
    }
    let outcome = run.wait()
    let first = end.words[0] == "watch" ? SIGTERM : end.signals[0]
    #expect(outcome.end == .signalled(first), "\(outcome)")
    #expect(stage.value("refresh-token") != old)
    try stage.authority.set("{}")
    let next = try stage.accounts("token", "test")
    #expect(next.code == 0, "\(next)")
    #expect(stage.requests("refresh_token").count { $0.hasSuffix(" 200") } == 1)
  }
}
