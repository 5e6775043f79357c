import Sendmail
import TestSupport
import Testing

/// The options of a manual page are those of the parser, no more and no less.
///
/// Help is made of the definitions that the parser uses, so that it says what the parser knows.
@Suite struct ManualOptionTests {
  /// A page, and the commands that it is about.
  struct Page: Sendable, CustomTestStringConvertible {
    let name: String
    let program: String
    var commands: [[String]] = [[]]

    var testDescription: String { name }

    var lines: [String] {
      let text = Files.text(Fixtures.project("man/\(name)")) ?? ""
      return text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)" }
    }

    func section(_ title: String) -> [String] {
      Array(lines.drop { $0 != ".Sh \(title)" }.dropFirst().prefix { !$0.hasPrefix(".Sh ") })
    }
  }

  static let pages = [
    Page(name: "magnum-sync.1", program: "magnum-sync"),
    Page(name: "magnum-search.1", program: "magnum-search"),
    Page(name: "magnum-index.1", program: "magnum", commands: [["index"]]),
    Page(name: "magnum-show.1", program: "magnum", commands: [["show"]]),
    Page(name: "magnum-status.1", program: "magnum", commands: [["status"]]),
    Page(name: "magnum-watch.1", program: "magnum", commands: [["watch"]]),
    Page(name: "magnum-mcp.1", program: "magnum", commands: [["mcp"]]),
    Page(
      name: "magnum-attachments.1",
      program: "magnum",
      commands: ["list", "save", "open"].map { ["attachments", $0] }
    ),
    Page(
      name: "magnum-tag.1",
      program: "magnum",
      commands: [["tag"], ["mute"], ["unmute"]] + ["list", "dump", "restore"].map { ["tags", $0] }
    ),
    Page(
      name: "magnum-invite.1",
      program: "magnum",
      commands: ["show", "accept", "decline", "tentative"].map { ["invite", $0] }
    ),
    Page(
      name: "magnum-rules.1",
      program: "magnum",
      commands: ["list", "try", "run"].map { ["rules", $0] }
    ),
    Page(name: "magnum-snooze.1", program: "magnum", commands: [["snooze"], ["remind"]]),
    Page(name: "magnum-unsubscribe.1", program: "magnum", commands: [["unsubscribe"]]),
    Page(
      name: "magnum-triage.1",
      program: "magnum",
      commands: [
        "read", "unread", "flag", "unflag", "archive", "delete", "move", "copy", "junk", "notjunk",
        "insert", "undo", "log",
      ].map { [$0] }
    ),
    Page(
      name: "magnum-compose.1",
      program: "magnum",
      commands: ["compose", "reply", "reply-all", "forward", "resume"].map { [$0] }
    ),
    Page(
      name: "magnum-accounts.1",
      program: "magnum",
      commands: [
        "list", "folders", "add", "test", "login", "logout", "token", "import", "export", "relabel",
      ]
      .map {
        ["accounts", $0]
      }
    ),
    Page(
      name: "magnum-queue.1",
      program: "magnum",
      commands: [
        "list", "show", "flush", "retry", "edit", "hold", "release", "discard", "undiscard",
        "cancel",
      ].map { ["queue", $0] }
    ),
  ]

  private static let send = Page(name: "magnum-send.1", program: "magnum-send")

  /// The flags that lines of mdoc name: `-n` for `Fl n`, `--limit` for `Fl -limit`.
  private static func flags(_ lines: [String]) -> Set<String> {
    Set(
      lines.flatMap { line -> [String] in
        let words = line.split(separator: " ").map { $0.hasPrefix(".") ? $0.dropFirst() : $0 }
        return zip(words, words.dropFirst()).filter { $0.0 == "Fl" }.map { "-\($0.1)" }
      }
    )
  }

  /// The options that help lists, each with all of its names.
  private static func options(_ page: Page) throws -> Set<[String]> {
    let program = try ProgramUnderTest(page.program)
    var options: Set<[String]> = []
    for command in page.commands {
      let help = try program.command(command + ["--help"]).run().output
      for line in help.split(separator: "\n") where line.hasPrefix("  -") {
        options.insert(names(line.dropFirst(2)))
      }
    }
    return options
  }

  /// The names in a line of help: `-n` and `--dry-run` where it begins with `-n, --dry-run`.
  private static func names(_ line: Substring) -> [String] {
    var names: [String] = []
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      // Two spaces end the names.
      if word.isEmpty { break }
      if word.hasPrefix("-") { names.append(String(word.prefix { $0 != "," })) }
    }
    return names
  }

  @Test(arguments: pages + [send])
  func thePageListsTheOptionsOfTheParser(page: Page) throws {
    let options = try Self.options(page)
    #expect(options.count > 4)
    let known = Set(options.flatMap { $0 })
    let listed = Self.flags(page.lines.filter { $0.hasPrefix(".It Fl ") })
    #expect(known.subtracting(listed) == [], "in the program only")
    #expect(listed.subtracting(known) == [], "in the page only")
  }

  @Test(arguments: pages)
  func theSynopsisNamesEachOption(page: Page) throws {
    let options = try Self.options(page)
    let synopsis = Self.flags(page.section("SYNOPSIS"))
    for names in options where !names.contains("--version") && !names.contains("--help") {
      #expect(!synopsis.isDisjoint(with: names), "\(names)")
    }
    #expect(synopsis.subtracting(options.flatMap { $0 }) == [], "in the synopsis only")
  }

  /// The letters of sendmail are read in a way of their own: each that help lists has to be known there.
  @Test func theLettersOfSendmailAreKnown() throws {
    let words = try Self.options(Self.send).flatMap { $0 }
    #expect(words.count > 18)
    for word in words {
      let value: [[UInt8]] = ["-N", "-R"].contains(word) ? [] : [Array("value".utf8)]
      let full: [[UInt8]] = word == "-N" ? [Array("never".utf8)] : [Array("full".utf8)]
      #expect(throws: Never.self, "\(word)") {
        try SendmailCommandLine.parse(name: [], [Array(word.utf8)] + (value.isEmpty ? full : value))
      }
    }
  }
}
