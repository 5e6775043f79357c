import TestSupport
import Testing

/// The manual and the programs say the same.
@Suite struct SearchManualTests {
  private struct Page: Sendable, CustomTestStringConvertible {
    let name: String
    let program: String
    let words: [String]

    var testDescription: String { name }

    var lines: [String] {
      let text = Files.text(Fixtures.project("man/\(name)")) ?? ""
      return text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" }
    }

    func section(_ title: String) -> [String] {
      Array(lines.drop { $0 != ".Sh \(title)" }.dropFirst().prefix { !$0.hasPrefix(".Sh ") })
    }
  }

  /// Without a configuration nothing else is wrong with the commands of the examples.
  @Test(arguments: ["magnum-search.1", "magnum-query.7", "magnum-index.1", "magnum-show.1"])
  func examplesAreRight(name: String) throws {
    let lines = Page(name: name, program: "", words: []).section("EXAMPLES")
    var count = 0
    for line in lines {
      let text = line.hasPrefix(".Dl ") ? line.dropFirst(4) : line[...]
      guard text.hasPrefix("$ magnum"), !text.contains("--maildir"), !text.contains("~/Maildir")
      else {
        continue
      }
      let command = text.dropFirst(2).prefix { $0 != "|" && $0 != ">" }
      let words = command.split(separator: " ", maxSplits: 1)
      let program = try ProgramUnderTest(String(words[0]))
      let script = "exec \"$0\" --config missing.toml \(words.count > 1 ? words[1] : "")"
      let environment = program.command([]).environment
      let outcome = try Command("/bin/sh", ["-c", script, program.path], environment: environment)
        .run()
      #expect(outcome.code == 78, "\(line): \(outcome)")
      count += 1
    }
    #expect(count > 0)
  }
}
