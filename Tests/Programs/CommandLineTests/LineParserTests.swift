import CommandLine
import MailModel
import Terminal
import Testing

/// Command lines are read by the definitions of commands, the same for every program.
@Suite struct LineParserTests {
  struct Options: Hashable {
    var dryRun = false
    var limit: Int?
    var target: String?
  }

  private static var act: CommandDefinition {
    CommandDefinition(
      "act",
      abstract: "Do it.",
      initial: Options(),
      globals: [.config, .account, .quiet, .verbose],
      options: [
        .flag("-n", "--dry-run", sets: \.dryRun, help: "Do nothing."),
        .number("--limit", sets: \.limit, help: "At most so many."),
        .text("--to", value: "address", sets: \.target, help: "Where to."),
      ],
      operands: .many("thing"),
      run: { _, _ in .success }
    )
  }

  private static var find: CommandDefinition {
    CommandDefinition(
      "find",
      abstract: "Find it.",
      initial: Options(),
      globals: [.json, .quiet],
      options: [.flag("-0", sets: \.dryRun, help: "NUL.")],
      operands: .many("query", mayBeginWithDash: true),
      run: { _, _ in .success }
    )
  }

  private static var program: CommandDefinition {
    CommandDefinition(
      "prog",
      abstract: "Programs.",
      subcommands: [
        CommandDefinition("group", abstract: "A group.", subcommands: [act, find], default: "act"),
        find,
      ]
    )
  }

  private func line(_ text: String) throws -> ParsedLine? {
    let words = text.split(separator: " ").map { "\($0)" }
    guard case .run(let line) = try LineParser.parse(Self.program, words) else { return nil }
    return line
  }

  private func mistake(_ text: String) -> String {
    do {
      _ = try line(text)
      return "none"
    } catch let error as LocatedMistake {
      return "\(error.name): \(error.mistake.what)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    "--config x group act -q a b", "group --config x act -q a b", "group act --config=x a -q b",
    "-q group act a b --config x", "group -q --config=x act a b",
    "--config y group --config x -q a b",
  ])
  func commonOptionsStandAnywhere(text: String) throws {
    let line = try #require(try line(text))
    #expect(line.name == "prog group act")
    #expect(line.globals.config == "x" && line.globals.quiet)
    #expect(line.operands == ["a", "b"])
  }

  @Test func accountsAdd() throws {
    let line = try #require(try line("--account a group --account=b act x"))
    #expect(line.globals.accounts == ["a", "b"])
  }

  @Test(arguments: [
    ("group act --json x", "prog group act: --json has no meaning here"),
    ("--json group act x", "prog group act: --json has no meaning here"),
    ("find -v x", "prog find: -v has no meaning here"),
    ("find --nul x", "prog find: unknown option --nul"),
    ("group act --limt 3", "prog group act: unknown option --limt"),
    ("group act -nx", "prog group act: unknown option -nx"),
    ("group act --limit", "prog group act: --limit needs a value: --limit <number>"),
    ("group act --limit -n", "prog group act: --limit needs a value: --limit <number>"),
    ("group act --dry-run=yes", "prog group act: --dry-run takes no value"),
    ("group act -q -v", "prog group act: --quiet and --verbose exclude each other"),
    ("froup", "prog: unknown command \"froup\""),
    ("help group frob", "prog group: unknown command \"frob\""),
    ("--config x", "prog: no command is given"),
    ("-- find", "prog: no command is given"),
  ])
  func mistakesAreRefused(text: String, expected: String) {
    #expect(mistake(text) == expected)
  }

  @Test func nearbyNamesAreSuggested() {
    #expect(throws: LocatedMistake.self) { try line("group act --limt 3") }
    do {
      _ = try line("froup")
    } catch {
      #expect((error as? LocatedMistake)?.mistake.hint == "did you mean group?")
    }
  }

  @Test func shortOptionsCluster() throws {
    let line = try #require(try line("group act -nq x"))
    #expect(line.globals.quiet && line.operands == ["x"])
  }

  @Test func wordsOfAQueryMayBeginWithADash() throws {
    let line = try #require(try line("find -tag:2020 -hello a -q -- -v --json"))
    #expect(line.operands == ["-tag:2020", "-hello", "a", "-v", "--json"])
    #expect(line.operandsBeforeDashes == 3)
    #expect(line.globals.quiet && !line.globals.json && !line.globals.verbose)
  }

  @Test func aDashAloneAndNumbersAreValues() throws {
    #expect(try line("group act --to - --limit -3 x")?.operands == ["x"])
  }

  @Test(arguments: ["-h", "group --help", "help group act", "", "group act -h --nonsense"])
  func helpIsAskedFor(text: String) throws {
    let words = text.split(separator: " ").map { "\($0)" }
    guard case .help(let path) = try LineParser.parse(Self.program, words) else {
      Issue.record("no help")
      return
    }
    let help = HelpText.text(path)
    #expect(help.contains("USAGE: prog"))
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func helpListsEveryOption() {
    let help = HelpText.text([Self.program, Self.act])
    for name in [
      "--config <file>", "-n, --dry-run", "--limit <number>", "-q, --quiet", "--version",
    ] { #expect(help.contains("  \(name)"), "\(help)") }
    #expect(!help.contains("--json"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func scriptsNameEveryOption(shell: String) throws {
    let script = try #require(CompletionScript.text(Self.program, for: shell))
    for name in ["group", "act", "find", "config", "dry-run", "limit", "json"] {
      #expect(script.contains(name), "\(name)")
    }
    #expect(CompletionScript.text(Self.program, for: "csh") == nil)
  }
}
