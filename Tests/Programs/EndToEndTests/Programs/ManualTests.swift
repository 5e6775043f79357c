import TestSupport
import Testing

/// The manual and the program say the same.
@Suite struct ManualTests {
  /// The pages about the sync; those of other programs are held against these by their own tests.
  private static let syncPages = ManualPage.all.filter { page in
    ![
      "magnum-index.1", "magnum-query.7", "magnum-queue.1", "magnum-search.1", "magnum-send.1",
      "magnum-accounts.1", "magnum-attachments.1", "magnum-compose.1", "magnum-crypto.7",
      "magnum-export.1", "magnum-import.1", "magnum-invite.1", "magnum-keys.1", "magnum-mcp.1",
      "magnum-oauth.7",
      "magnum-restore.1", "magnum-rules.1", "magnum-show.1", "magnum-snooze.1",
      "magnum-status.1", "magnum-tag.1", "magnum-triage.1", "magnum-unsubscribe.1",
      "magnum-verify.1",
      "magnum-watch.1",
    ].contains(page.name)
  }

  @Test func pagesAreThere() {
    let names = [
      "magnum-accounts.1", "magnum-attachments.1", "magnum-compose.1", "magnum-config.5",
      "magnum-crypto.7", "magnum-export.1", "magnum-formats.5",
      "magnum-import.1", "magnum-index.1", "magnum-invite.1", "magnum-keys.1", "magnum-mcp.1",
      "magnum-migrating.7", "magnum-oauth.7", "magnum-query.7", "magnum-queue.1",
      "magnum-restore.1", "magnum-rules.1",
      "magnum-search.1", "magnum-send.1", "magnum-show.1", "magnum-snooze.1",
      "magnum-status.1", "magnum-sync.1", "magnum-tag.1", "magnum-triage.1",
      "magnum-unsubscribe.1", "magnum-verify.1", "magnum-watch.1",
      "magnum.7",
    ]
    #expect(ManualPage.all.map(\.name) == names)
  }

  @Test(arguments: ManualPage.all)
  func pagesHaveWhatPeopleLookFor(page: ManualPage) {
    for wanted in ["NAME", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES"] {
      #expect(page.sections.contains(wanted), "\(page.name) has no \(wanted)")
    }
    let isCommand = page.name.hasSuffix(".1")
    #expect(page.sections.contains("SYNOPSIS") == isCommand, "\(page.name)")
  }

  @Test(arguments: ManualPage.all)
  func pagesReferToPagesThatAreThere(page: ManualPage) {
    let names = Set(ManualPage.all.map(\.name))
    for line in page.lines where line.hasPrefix(".Xr magnum") {
      let words = line.split(separator: " ")
      #expect(words.count > 2 && names.contains("\(words[1]).\(words[2])"), "\(page.name): \(line)")
    }
  }

  @Test(.enabled("mandoc is not installed") { Self.isInstalled("mandoc") })
  func pagesHaveNoFault() throws {
    try #require(!ManualPage.all.isEmpty)
    let files = ManualPage.all.map { "\(ManualPage.folder)/\($0.name)" }
    let outcome = try Command("mandoc", ["-T", "lint", "-W", "warning"] + files).run()
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome)")
  }

  // MARK: Options

  /// The commands whose output the page of formats describes.
  private static let printing = [
    ["magnum-search"], ["magnum", "queue", "list"], ["magnum", "index"], ["magnum", "compose"],
    ["magnum", "show"], ["magnum", "watch"],
  ]

  /// The options that the help of a command lists, as mdoc writes them: `n`, `-dry-run`.
  private static func optionsOfHelp(_ words: [String] = ["magnum-sync"]) throws -> Set<String> {
    let program = try ProgramUnderTest(words[0])
    let help = try program.command(words.dropFirst() + ["--help"]).run().output
    let lines = help.split(separator: "\n").drop { $0 != "OPTIONS:" }.filter {
      $0.hasPrefix("  -")
    }
    let words = lines.flatMap { $0.prefix(26).split { " ,".contains($0) } }
    return Set(words.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) })
  }

  @Test(arguments: syncPages)
  func optionsThatPagesNameAreThere(page: ManualPage) throws {
    var known = try Self.optionsOfHelp()
    if page.name == "magnum-formats.5" {
      for words in Self.printing { known.formUnion(try Self.optionsOfHelp(words)) }
    }
    #expect(ManualPage.flags(page.lines).subtracting(known) == [], "\(page.name)")
  }

  @Test(arguments: ["a shell's completion": "--generate-completion-script bash"])
  func optionsOutsideOfHelpWork(option: (key: String, value: String)) throws {
    let words = option.value.split(separator: " ").map { "\($0)" }
    let outcome = try ProgramUnderTest().command(words).run()
    #expect(outcome.code == 0 && outcome.output.contains("magnum-sync"), "\(outcome)")
  }

  // MARK: Exit statuses

  private static func statuses(of page: ManualPage) -> [Int] {
    page.section("EXIT STATUS").filter { $0.hasPrefix(".It ") }.compactMap { Int($0.dropFirst(4)) }
  }

  /// The statuses that the program can end with, as its source lists them.
  private static func statusesOfSource() throws -> [Int] {
    let path = Fixtures.project("Sources/Base/MailModel/Outcomes/ExitStatus.swift")
    let lines = try #require(Files.text(path)).split(separator: "\n")
    return lines.compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4, words[0] == "case", words[2] == "=" else { return nil }
      return Int(words[3])
    }
  }

  @Test func theOverviewListsEveryStatus() throws {
    let ours = try Self.statusesOfSource()
    #expect(ours.count == 14)
    #expect(Self.statuses(of: ManualPage("magnum.7")) == ours)
  }

  @Test(arguments: ManualPage.all)
  func statusesThatPagesNameAreThere(page: ManualPage) throws {
    let ours = try Self.statusesOfSource()
    let inPage = Self.statuses(of: page)
    #expect(!inPage.isEmpty && Set(inPage).isSubset(of: ours), "\(page.name): \(inPage)")
  }

  // MARK: Formats

  /// The texts in quotes of a source file that are one word.
  private static func literals(_ path: String) throws -> Set<String> {
    let text = try #require(Files.text(Fixtures.project("Sources/\(path)")), "no \(path)")
    let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    let pieces = code.flatMap { line in
      line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
    return Set(pieces.filter { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0 == "-" } })
  }

  @Test(arguments: [
    "Programs/Syncing/JSONReporter.swift", "Programs/magnum/Sync/MailboxLine.swift",
    "Sync/SyncState/Records/RecordCodec.swift", "Sync/SyncState/Files/MapFile.swift",
    "Sync/SyncState/Files/SummaryFile.swift",
  ])
  func wordsThatAreWrittenAreInThePage(source: String) throws {
    let literals = try Self.literals(source)
    #expect(literals.count > 3)
    #expect(literals.subtracting(ManualPage("magnum-formats.5").words) == [], "not in the page")
  }

  // MARK: Examples

  @Test(arguments: ManualPage.all)
  func commandsInPagesAreRight(page: ManualPage) throws {
    try Self.expectRight(page.displays.joined(separator: "\n"), prompt: "$ magnum-sync", page.name)
  }

  @Test func commandsInTheReadmeAreRight() throws {
    let blocks = try Self.blocksOfReadme("sh")
    #expect(blocks.contains { $0.contains("magnum-sync --dry-run") })
    for block in blocks { try Self.expectRight(block, prompt: "magnum-sync", "README.md") }
  }

  /// Runs each line that begins with the prompt, without a configuration: a wrong option would come first.
  private static func expectRight(_ text: String, prompt: String, _ place: String) throws {
    let program = try ProgramUnderTest()
    for line in text.split(separator: "\n") where line.hasPrefix("\(prompt) ") || line == prompt {
      let words = line.dropFirst(prompt.count).prefix { $0 != "|" && $0 != "#" }
      let script = "exec \"$0\" --config missing.toml \(words)"
      let environment = program.command([]).environment
      let outcome =
        try Command("/bin/sh", ["-c", script, program.path], environment: environment).run()
      let isCompletion = words.contains("--generate-completion-script")
      #expect(outcome.code == (isCompletion ? 0 : 78), "\(place): \(line): \(outcome)")
    }
  }

  @Test(arguments: ManualPage.all)
  func configurationsInPagesAreRight(page: ManualPage) throws {
    for text in page.displays where text.contains("\n[account.") || text.hasPrefix("[account.") {
      try Self.expectAccepted(text, page.name)
    }
  }

  @Test func configurationsInTheReadmeAreRight() throws {
    let blocks = try Self.blocksOfReadme("toml")
    #expect(!blocks.isEmpty)
    for block in blocks { try Self.expectAccepted(block, "README.md") }
  }

  /// An account that is not there is the first thing wrong, after the whole configuration was read.
  private static func expectAccepted(_ text: String, _ place: String) throws {
    let program = try ProgramUnderTest()
    let file = try program.home.write(text + "\n", to: "config.toml", mode: 0o600)
    let outcome = try program.run("--config", file, "no-such-account")
    #expect(
      outcome.code == 64 && outcome.errors.contains("unknown account"),
      "\(place): \(outcome)"
    )
  }

  /// The blocks of the README that are marked as that language.
  private static func blocksOfReadme(_ language: String) throws -> [String] {
    let text = try #require(Files.text(Fixtures.project("README.md")), "no README.md")
    var blocks: [String] = []
    var open: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```\(language)" {
        open = []
      } else if line == "```", let block = open {
        blocks.append(block.joined(separator: "\n"))
        open = nil
      } else {
        open?.append(line)
      }
    }
    return blocks
  }

  static func isInstalled(_ program: String) -> Bool {
    (try? Command.shell("command -v \"$1\"", [program])) != nil
  }
}
