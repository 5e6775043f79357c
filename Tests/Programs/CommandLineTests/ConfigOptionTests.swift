import TestSupport
import Testing

/// `--config FILE` means that file, wherever it stands on the command line, and no other.
@Suite struct ConfigOptionTests {
  /// Every command; the words in front of which, and after which, the option may stand.
  static let commands: [[String]] = [
    ["magnum", "accounts"], ["magnum", "accounts", "list"], ["magnum", "accounts", "test"],
    ["magnum", "index"], ["magnum", "show", "subject:x"], ["magnum", "status"],
    ["magnum", "queue"], ["magnum", "queue", "list"], ["magnum", "queue", "show", "1"],
    ["magnum", "queue", "flush"], ["magnum", "queue", "retry", "1"],
    ["magnum", "queue", "hold", "1"], ["magnum", "queue", "release", "1"],
    ["magnum", "queue", "discard", "123456"],
    ["magnum", "queue", "undiscard", "123456"],
    ["magnum", "queue", "edit", "--to", "a@x.test", "1"],
    ["magnum-search", "subject:x"], ["magnum-search", "--limit=3", "subject:x"],
    ["magnum-sync"], ["magnum-sync", "--list-mailboxes", "work"],
    ["magnum-send", "-q"], ["magnum-send", "-bp"], ["magnum-send", "--dry-run"],
  ]

  @Test(arguments: commands)
  func aMissingFileIsNamed(command: [String]) throws {
    let program = try Self.program(command[0])
    for position in 1...command.count where command[1..<position].last != "--to" {
      for option in [["--config", "missing.toml"], ["--config=missing.toml"]] {
        let words = command[1..<position] + option + Array(command[position...])
        let outcome = try program.command(Array(words)).run()
        #expect(outcome.code == 78, "\(words): \(outcome)")
        #expect(outcome.errors.contains(": missing.toml: no configuration there"), "\(outcome)")
        #expect(!outcome.errors.contains(".config/magnum"), "\(outcome)")
        #expect(outcome.output == "", "\(words): \(outcome)")
      }
    }
  }

  @Test func theFileThatIsNamedIsRead() throws {
    let program = try Self.program("magnum")
    let file = try program.home.write(Self.account("other"), to: "other.toml", mode: 0o600)
    for words in [["accounts"], ["accounts", "list"], ["status"]] {
      for position in 0...words.count {
        let line = words[..<position] + ["--config", file] + words[position...]
        let outcome = try program.command(Array(line)).run()
        #expect(outcome.code == 0 && outcome.output.hasPrefix("other"), "\(line): \(outcome)")
      }
    }
    let list = try program.run("queue", "--config", file, "list", "work")
    #expect(
      list.code == 64 && list.errors.contains("unknown account or subcommand 'work'"),
      "\(list)"
    )
  }

  @Test(arguments: [
    ["magnum", "index", "mail"], ["magnum", "show", "--maildir", "mail", "subject:x"],
    ["magnum-search", "--maildir", "mail", "subject:x"],
  ])
  func whereItMeansNothingItIsRefused(command: [String]) throws {
    let program = try Self.program(command[0])
    let words = Array(command[1...])
    for words in [["--config", "missing.toml"] + words, words + ["--config=x"]] {
      let outcome = try program.command(words).run()
      #expect(outcome.code == 64 && outcome.errors.contains("--config"), "\(words): \(outcome)")
    }
  }

  /// The program in a home with a configuration that is right.
  private static func program(_ name: String) throws -> ProgramUnderTest {
    let program = try ProgramUnderTest(name)
    try program.configure(account("work"))
    return program
  }

  /// An account that needs no server.
  private static func account(_ name: String) -> String {
    "[account.\(name)]\naddress = \"me@x.test\"\nmaildir = \"~/Mail/\(name)\"\n"
  }
}
