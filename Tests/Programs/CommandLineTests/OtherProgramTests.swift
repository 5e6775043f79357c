import TestSupport
import Testing

/// `magnum sync`, `search` and `send` are the other programs.
@Suite struct OtherProgramTests {
  private let program: ProgramUnderTest

  init() throws {
    program = try ProgramUnderTest("magnum")
    try program.configure("[account.work]\nmaildir = \"~/Mail/work\"\n")
  }

  @Test(arguments: ["sync", "search", "send"])
  func theyAreRunWithTheirArguments(name: String) throws {
    for words in [[name, "--help"], ["help", name]] {
      let outcome = try program.command(words).run()
      #expect(outcome.code == 0 && outcome.output.contains("magnum-\(name)"), "\(outcome)")
    }
    for words in [[name, "--config", "missing"], ["--config", "missing", name]] {
      let outcome = try program.command(words).run()
      #expect(outcome.code == 78, "\(words): \(outcome)")
      #expect(outcome.errors.contains("magnum-\(name): missing: no configuration"), "\(outcome)")
    }
  }

  @Test func theyAreListedAndMeant() throws {
    let help = try program.run("--help").output
    for name in ["sync", "search", "send", "queue"] { #expect(help.contains("\n  \(name) ")) }
    #expect(!help.contains("complete"))
    let slip = try program.run("serch", "hello")
    #expect(slip.code == 64 && slip.errors.contains("hint: did you mean search?"), "\(slip)")
  }
}
