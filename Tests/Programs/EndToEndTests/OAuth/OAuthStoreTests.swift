import Glibc
import TestSupport
import Testing

/// Logins that commands of the user keep.
@Suite struct OAuthStoreTests {
  /// Commands of the user keep the login; where they fail it stays in the file, and is handed over with the next renewal.
  @Test func commandsKeepTheLogin() throws {
    let stage = try OAuthStage()
    try stage.configure(stage.store)
    try stage.logIn()
    let kept = stage.program.home["test"]
    #expect(stage.grant.hasPrefix("magnum-oauth 1 store ") && !stage.grant.contains("-token"))
    let first = try stage.accounts("token", "test")
    #expect(first.code == 0 && Files.text(kept)?.contains(first.output) == true, "\(first)")
    try stage.program.home.write("", to: "broken")
    try stage.logIn()
    #expect(stage.grant.contains("refresh-token"))
    let status = try stage.program.command(["status"], stage.variables).run()
    #expect(status.output.contains("have not kept the login"), "\(status)")
    try Command.shell("rm \"$1\"", [stage.program.home["broken"]])
    try stage.age()
    #expect(try stage.mirror().code == 0)
    #expect(stage.grant.hasPrefix("magnum-oauth 1 store "))
    #expect(try stage.accounts("logout", "test").code == 0)
    #expect(Files.text(kept) == "")
    #expect(try stage.accounts("token", "test").code == 77)
  }

  /// A command that does not take that there is no login leaves it known, so that the next logout does it.
  @Test func aLogoutIsWholeOrSaysSo() throws {
    let stage = try OAuthStage()
    try stage.configure(stage.store)
    try stage.logIn()
    let kept = stage.program.home["test"]
    try stage.program.home.write("", to: "broken")
    let broken = try stage.accounts("logout", "test")
    #expect(broken.code != 0 && Files.text(kept) != "" && !stage.grant.isEmpty, "\(broken)")
    try Command.shell("rm \"$1\"", [stage.program.home["broken"]])
    // As after a kill between the command and the removal of the file.
    try Files.write("", to: kept)
    #expect(try stage.accounts("token", "test").code == 77)
    let logout = try stage.accounts("logout", "test")
    #expect(logout.code == 0 && stage.grant.isEmpty, "\(logout)")
    #expect(try stage.accounts("logout", "test").errors.contains("was not logged in"))
  }

  /// A kill at any point leaves nothing that the next logout does not finish.
  @Test func aLogoutThatIsKilledAnywhere() throws {
    let stage = try OAuthStage()
    try stage.configure(stage.store)
    var point = 1
    while point < 40 {
      try stage.logIn()
      let killed = try stage.accounts("logout", "test", variables: ["MAGNUM_FAULT": "\(point)"])
      guard killed.code != 0 else { break }
      #expect(killed.code == 137, "\(point): \(killed)")
      let next = try stage.accounts("logout", "test")
      #expect(next.code == 0 && stage.grant.isEmpty, "\(point): \(next)")
      #expect(Files.text(stage.program.home["test"]) == "", "\(point)")
      point += 1
    }
    #expect(point > 4)
  }

  /// No command runs for a report, which may wait for the user; a login that has ended is in it all the same.
  @Test func aReportRunsNoCommand() throws {
    let stage = try OAuthStage()
    try stage.configure(stage.store)
    try stage.logIn()
    let status = try Self.statusRunningNothing(stage)
    #expect(!status.output.contains("login"), "\(status)")
    // What is not handed over can be changed by the test.
    try stage.program.home.write("", to: "broken")
    try stage.logIn()
    try stage.age()
    try stage.revoke()
    try Command.shell("rm \"$1\"", [stage.program.home["broken"]])
    for status in [75, 77] as [Int32] {
      #expect(try stage.accounts("token", "test").code == status)
      try stage.passMinutes()
    }
    let ended = try Self.statusRunningNothing(stage)
    #expect(ended.output.contains("magnum accounts login test"), "\(ended)")
  }

  private static func statusRunningNothing(_ stage: OAuthStage) throws -> Outcome {
    let reads = Files.text(stage.program.home["reads"])
    let outcome = try stage.program.command(["status"], stage.variables).run()
    #expect(Files.text(stage.program.home["reads"]) == reads)
    return outcome
  }

  /// A command that waits is ended with the program.
  @Test func aReadIsInterrupted() throws {
    let stage = try OAuthStage()
    try stage.configure(stage.store)
    try stage.logIn()
    try stage.program.home.write("", to: "slow")
    let run = try stage.program.command(["accounts", "token", "test"], stage.variables).start()
    let waits = stage.program.home["waits"]
    #expect(Stopwatch.wait(upTo: 60) { Files.exists(waits) }, "\(run.errorsSoFar)")
    run.signal(SIGTERM)
    let outcome = run.wait()
    #expect(outcome.end == .signalled(SIGTERM) && outcome.seconds < 50, "\(outcome)")
  }
}
