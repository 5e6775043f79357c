import TestSupport
import Testing

/// An account that was never synced, or whose disk is not mounted, does not keep the others from being searched.
struct AccountLeftOutTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    /// What the command reads.
    var input = ""
    /// The status where an account is left out.
    var code: Int32 = 0
    var output: String

    var testDescription: String { words.joined(separator: " ") }
  }

  private static let cases = [
    Case(words: ["show", "id:m1@x.org"], output: "Shall we?"),
    Case(words: ["show", "--json", "id:m1@x.org"], output: "m1@x.org"),
    Case(words: ["flag", "subject:lunch"], code: 1, output: "1 message flagged"),
    Case(words: ["flag", "-n", "subject:lunch"], code: 1, output: "lunch"),
    Case(words: ["flag", "-"], input: "id:m1@x.org\n", code: 1, output: "1 message flagged"),
    Case(words: ["tag", "+a", "id:m1@x.org"], code: 1, output: "1 message tagged"),
    Case(
      words: ["reply", "--print", "--body", "-", "id:m1@x.org"],
      input: "x",
      output: "Re: lunch"
    ),
    Case(words: ["attachments", "list", "id:m1@x.org"], output: "menu.pdf"),
    Case(words: ["tags", "list"], code: 1, output: "attachment"),
    Case(words: ["tags", "dump"], code: 1, output: "id:m1@x.org"),
  ]

  /// One without a Maildir, and one with a Maildir that has no index.
  @Test(arguments: cases, [false, true])
  func theOthersAreSearched(_ table: Case, hasMaildir: Bool) throws {
    let stage = try Self.stage(hasMaildir: hasMaildir)
    let outcome = try stage.run(table.words, input: table.input)
    #expect(outcome.code == table.code, "\(outcome)")
    let isListed = table.words.contains("-n")
    #expect(outcome.output.contains(isListed ? "id:m1@x.org" : table.output), "\(outcome)")
    let isJSON = table.words.contains("--json")
    let words = isJSON ? "\"where\":\"home\",\"what\":\"not searched: " : "home: not searched: "
    #expect(outcome.errorLines.count { $0.contains(words) } == 1, "\(outcome)")
    #expect(outcome.errors.contains(hasMaildir ? "magnum index --account home" : "mount"))
  }

  /// An account that is asked for is not skipped.
  @Test(arguments: [
    ["show", "account:home lunch"], ["show", "--account", "home", "lunch"],
    ["flag", "account:home"], ["flag", "--account", "home", "lunch"],
    ["reply", "--print", "--body", "-", "account:home"],
    ["tags", "list", "--account", "home"],
  ])
  func whatIsNamedIsNotLeftOut(_ words: [String]) throws {
    let stage = try Self.stage(hasMaildir: false)
    let outcome = try stage.run(words)
    #expect(outcome.code == 1 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errorLines.count { $0.hasPrefix("magnum") } == 1, "\(outcome)")
    #expect(stage.names("mail/INBOX/cur") == ["1:2,S"])
  }

  @Test func aSearchSaysIt() throws {
    let stage = try Self.stage(hasMaildir: false)
    for (words, code, isFound) in [
      (["lunch"], 0, true), (["--strict", "lunch"], 1, true),
      (["--account", "work", "--strict", "lunch"], 0, true), (["account:home"], 1, false),
      (["not", "account:home"], 0, true), (["--account", "home", "lunch"], 1, false),
    ] {
      var command = stage.magnum.command(words)
      command.program = "\(ProgramUnderTest.products)/magnum-search"
      let outcome = try command.run()
      #expect(outcome.code == code, "\(words): \(outcome)")
      #expect(outcome.output.contains("lunch") == isFound, "\(words): \(outcome)")
      #expect(outcome.errorLines.count { $0.hasPrefix("magnum") } <= 1, "\(words): \(outcome)")
    }
  }

  private static func stage(hasMaildir: Bool) throws -> ComposeStage {
    let stage = try ComposeStage()
    let file = stage.magnum.home[".config/magnum/config.toml"]
    let other = "\n[account.home]\naddress = \"me@h.test\"\nmaildir = \"~/other\"\n"
    try stage.magnum.configure(try #require(Files.text(file)) + other)
    if hasMaildir { try Files.makeDirectories(stage.magnum.home["other/INBOX/cur"]) }
    return stage
  }
}
