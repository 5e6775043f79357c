import Testing
import TestSupport

/// The manual and the program say the same.
@Suite struct ManualTests {
  private static let folder = Fixtures.path("../../man")
  static let pages = Files.names(in: folder).map { String(decoding: $0, as: UTF8.self) }

  @Test(arguments: ["magnum-sync.1", "magnum-config.5", "magnum-formats.5", "magnum.7"])
  func pagesHaveWhatPeopleLookFor(page: String) throws {
    let text = try #require(Files.text("\(Self.folder)/\(page)"), "no page \(page)")
    let sections = text.split(separator: "\n").filter { $0.hasPrefix(".Sh ") }.map {
      $0.dropFirst(4)
    }
    for wanted in ["EXAMPLES", "EXIT STATUS", "FILES", "ENVIRONMENT"] {
      #expect(
        sections.contains { $0 == wanted || $0 == "\"\(wanted)\"" },
        "\(page) has no \(wanted)"
      )
    }
  }

  @Test(.enabled("mandoc is not installed") { (try? Command.shell("command -v mandoc")) != nil })
  func pagesHaveNoFault() throws {
    try #require(!Self.pages.isEmpty)
    let outcome = try Command(
      "mandoc",
      ["-T", "lint", "-W", "warning"] + Self.pages.map { "\(Self.folder)/\($0)" }
    )
    .run()
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome)")
  }

  @Test func optionsAreTheSameInTheProgramAndItsPage() throws {
    let help = try ProgramUnderTest().run("--help").output
    let inHelp = Set(
      help.split { $0.isWhitespace || ",[]|=".contains($0) }
        .filter { $0.hasPrefix("--") && $0.count > 3 }.map { String($0.dropFirst(2)) }
    )
    let page = try #require(Files.text("\(Self.folder)/magnum-sync.1"))
    let inPage = Set(
      page.split(separator: "\n").filter { $0.hasPrefix(".It Fl ") }.flatMap(Self.longOptions)
    )
    #expect(inHelp.subtracting(inPage) == [], "in the program only")
    #expect(inPage.subtracting(inHelp) == [], "in the page only")
  }

  /// The long options in a line of mdoc: what follows `Fl Fl`, or `Fl` with a hyphen of its own.
  private static func longOptions(_ line: Substring) -> [String] {
    let words = line.split(separator: " ").map(String.init)
    return words.indices.dropFirst().compactMap { index in
      let name = words[index].drop { $0 == "-" || $0 == "\\" }
      if words[index - 1] == "Fl", name != words[index] { return String(name) }
      guard index > 1, words[index - 1] == "Fl", words[index - 2] == "Fl" else { return nil }
      return words[index]
    }
  }
}
