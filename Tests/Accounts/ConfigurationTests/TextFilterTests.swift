import Configuration
import TestSupport
import Testing

/// Which filter takes which attachment, and what is kept of what they make.
@Suite struct TextFilterTests {
  private static let filters = TextFilters(
    [
      ("application/pdf", "pdf"), ("Application/MSWord", "doc"), ("application/*", "any"),
      ("image/*", "see"), ("application/pdf", "again"),
    ].compactMap { TextFilter(type: $0.0, command: [$0.1]) }
  )

  @Test(
    arguments: [
      ("application/pdf", "pdf"), ("application/msword", "doc"), ("application/zip", "any"),
      ("image/png", "see"), ("text/plain", nil), ("applications/pdf", nil), ("application", "any"),
      ("imag/png", nil), ("", nil),
    ]
  )
  func choice(_ type: String, _ program: String?) {
    #expect(Self.filters.filter(for: Array(type.utf8))?.command.first == program)
  }

  @Test(
    arguments: [
      ("application/pdf", true), ("application/vnd.ms-excel", true), ("application/*", true),
      ("image/svg+xml", true), ("*/*", false), ("*", false), ("application", false),
      ("application/", false), ("/pdf", false), ("a/b/c", false), ("a/b;c=d", false),
      ("a /b", false), ("", false), ("ä/b", false),
    ]
  )
  func types(_ text: String, _ isType: Bool) {
    #expect(TextFilter.isType(text) == isType)
    #expect((TextFilter(type: text, command: ["a"]) != nil) == isType)
    #expect(TextFilter(type: text, command: []) == nil)
    #expect(TextFilter(type: text, command: ["", "a"]) == nil)
  }

  @Test func anotherCommandHasAnotherKey() {
    let calls: [(String, [String])] = [
      ("a/b", ["c"]), ("a/b", ["d"]), ("a/b", ["c", ""]), ("a/b", ["c", "d"]), ("a/b", ["cd"]),
      ("a/*", ["c"]), ("a/bc", ["c"]),
    ]
    let keys = calls.compactMap { TextFilter(type: $0.0, command: $0.1)?.key }
    #expect(Set(keys).count == calls.count)
    #expect(TextFilter(type: "A/B", command: ["c"])?.key == keys.first)
  }

  @Test(
    arguments: [
      .text([]), .text(Array("text\nof two lines".utf8)), .text([0, 255, 10]),
      .failed(.status(1)), .failed(.signal(11)), .failed(.tooSlow), .failed(.tooLong),
      .failed(.tooManyProcesses), .failed(.tooMuchMemory),
    ] as [FilteredText]
  )
  func whatIsKeptIsReadAsItWas(_ text: FilteredText) {
    let octets = text.octets
    #expect(FilteredText(octets) == text)
    // What is cut short says nothing; of a failure nothing can be missing but its line.
    for end in octets.indices { #expect(FilteredText(Array(octets[..<end])) == nil) }
  }

  @Test(
    arguments: [
      "", "\n", "text\n", "magnum-text 2 text\n", "magnum-text 1 \n", "magnum-text 1 status x\n",
    ]
  )
  func garbageSaysNothing(_ text: String) {
    #expect(FilteredText(Array(text.utf8)) == nil)
  }

  @Test func failuresOfOneKindAreOneLine() throws {
    let pdf = try #require(Self.filters.all.first)
    var report = FilterReport()
    #expect(report.isQuiet)
    for id in ["a", "b"] { report.count(.status(1), of: pdf, in: Array(id.utf8)) }
    report.count(.tooSlow, of: pdf, in: Array("c".utf8))
    #expect(report.failed == 3)
    #expect(report.failures.map(\.count) == [2, 1])
    #expect(report.failures.first?.message == Array("a".utf8))
    report.stop(pdf, .excess)
    report.stop(pdf, .notStarted("why"))
    #expect(report.stopped.map(\.cause) == [.excess] && report.isStopped(pdf))
  }
}
