import TestSupport
import Testing

/// Programs of rules that decide about messages.
@Suite struct RuleCommandTests {
  @Test(arguments: try Fixtures.load("Fixtures/commands.txt"))
  func scene(_ fixture: Fixture) throws {
    let stage = try RuleStage(fixture.body)
    for line in fixture.lines("mail") { try stage.deliver(line) }
    let before = stage.messages
    try #require(try stage.magnum.run("index").code == 0)
    let words = (fixture["try"] ?? "--commands *").split(separator: " ").map(String.init)
    let variables = ["MAGNUM_PATIENCE": fixture.body.contains("sleep") ? "500" : "30000"]
    let trial = try stage.magnum.command(["rules", "try"] + words, variables).run()
    #expect(trial.code == Int32(fixture["status"] ?? "0"), "\(trial)")
    let lines = trial.output.split(separator: "\n").map(String.init)
    #expect(lines == fixture.lines("tries"), "\(trial)")
    for line in fixture.lines("says") { #expect(trial.errors.contains(line), "\(trial.errors)") }
    let asked = Files.text(stage.magnum.home["asked"]) ?? ""
    #expect(asked.split(separator: "\n").map(String.init).sorted() == fixture.lines("asked"))
    #expect(stage.messages == before)
  }

  /// What a person has sorted is asked about, too; two programs run at once, each message once.
  @Test func runAsksAboutEachMessageOnce() throws {
    let stage = try RuleStage(
      """
      [rule.some]
      when-command = ["sh", "-c", "sed -n 's/^Message-ID: //p' | tee -a ~/asked | grep -q '[13579]@'"]
      do = ["archive"]
      """
    )
    for number in 10..<30 { try stage.deliver("INBOX/m\(number):2, ann") }
    try #require(try stage.magnum.run("index").code == 0)
    let run = try stage.magnum.run("rules", "run", "*")
    #expect(run.code == 0 && run.output == "10 messages sorted  (1)\n", "\(run)")
    #expect(stage.messages.count { $0.hasPrefix("Archive/") } == 10)
    let asked = (Files.text(stage.magnum.home["asked"]) ?? "").split(separator: "\n")
    #expect(asked.count == 20 && Set(asked).count == 20, "\(asked)")
    let list = try stage.magnum.run("rules")
    #expect(list.output.hasPrefix("some  if sh -c "), "\(list)")
  }
}
