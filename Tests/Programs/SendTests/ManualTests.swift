import TestSupport
import Testing

/// The manual pages of sending and the programs say the same.
@Suite struct ManualTests {
  private static func page(_ name: String) throws -> [String] {
    let text = try #require(Files.text(Fixtures.project("man/\(name)")))
    return text.split(separator: "\n").map { "\($0)" }
  }

  @Test func factsOfLogsAndFieldsOfEntriesAreInThePage() throws {
    let page = try Self.page("magnum-formats.5").joined(separator: " ").split {
      " ,;.".contains($0)
    }
    let words = Set(page.map { "\($0)" })
    for word in [
      "sending", "accepted", "refused", "deferred", "unanswered", "unsent", "split", "begun",
      "done", "postponed", "rejected", "undone", "failed", "held", "released", "retried",
      "reported",
    ] { #expect(words.contains(word), "\(word)") }
    let stage = try SendStage()
    _ = try stage.send(
      "Bcc: b@x.test\n\n",
      "--no-try",
      "-N",
      "never",
      "-R",
      "full",
      "-V",
      "1",
      "-L",
      "x",
      "a@x.test"
    )
    let entry = try #require(stage.entries("queue").first)
    let header = try #require(Files.text("\(stage.spool)/queue/\(entry)")).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    for line in header.prefix(while: { !$0.isEmpty }) {
      let name = String(line.prefix { $0 != ":" })
      #expect(words.contains(name) || words.contains(name + ":"), "\(name)")
    }
  }
}
