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
      let text = Files.text(Fixtures.path("../../man/\(name)")) ?? ""
      return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    func section(_ title: String) -> [String] {
      Array(lines.drop { $0 != ".Sh \(title)" }.dropFirst().prefix { !$0.hasPrefix(".Sh ") })
    }
  }

  private static let pages = [
    Page(name: "magnum-search.1", program: "magnum-search", words: []),
    Page(name: "magnum-index.1", program: "magnum", words: ["index"]),
    Page(name: "magnum-show.1", program: "magnum", words: ["show"]),
  ]

  /// The flags that lines name: `0` for `Fl 0`, `-limit` for `Fl -limit`.
  private static func flags(_ lines: [String]) -> Set<String> {
    Set(
      lines.flatMap { line -> [String] in
        let words = line.split(separator: " ").map { $0.hasPrefix(".") ? $0.dropFirst() : $0 }
        return zip(words, words.dropFirst()).filter { $0.0 == "Fl" }.map { String($0.1) }
      }
    )
  }

  @Test(arguments: pages)
  private func optionsAreTheSameInTheProgramAndItsPage(_ page: Page) throws {
    let program = try ProgramUnderTest(page.program)
    let help = try program.command(page.words + ["--help"]).run().output
    let lines = help.split(separator: "\n").drop { $0 != "OPTIONS:" }.filter { $0.hasPrefix("  -") }
    let words = lines.flatMap { $0.prefix(26).split { " ,".contains($0) } }
    let inHelp = Set(words.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) })
    #expect(inHelp.count > 5)
    let inPage = Self.flags(page.lines.filter { $0.hasPrefix(".It Fl ") })
    #expect(inHelp.subtracting(inPage) == [], "in the program only")
    #expect(inPage.subtracting(inHelp) == [], "in the page only")
    let inSynopsis = Self.flags(page.section("SYNOPSIS"))
    #expect(inHelp.subtracting(inSynopsis).isSubset(of: ["-version", "h", "-help", "q"]))
    #expect(inSynopsis.subtracting(inHelp) == [])
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

  /// What stands in JSON is in the page of formats.
  @Test(arguments: [
    "magnum-search/ThreadWords.swift", "magnum-search/TreeWords.swift", "magnum/ShownMessage.swift",
  ])
  func membersAreInThePage(source: String) throws {
    let text = try #require(Files.text(Fixtures.path("../../Sources/\(source)")))
    let page = Set(
      Page(name: "magnum-formats.5", program: "", words: []).lines.joined(separator: " ")
        .split { " ,".contains($0) }.map(String.init)
    )
    let names = text.split(separator: "\n").compactMap { line -> String? in
      let parts = line.split(separator: "\"")
      guard parts.count > 1, parts[0].hasSuffix("line.add(") else { return nil }
      return String(parts[1])
    }
    #expect(names.count > 5)
    // The names of header fields are those of the mail.
    let ours = Set(names.filter { !$0.contains("name") || $0 == "filename" })
    #expect(ours.subtracting(page) == [])
  }
}
