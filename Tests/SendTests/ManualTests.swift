import TestSupport
import Testing

/// The manual pages of sending and the programs say the same.
@Suite struct ManualTests {
  private static func page(_ name: String) throws -> [String] {
    let text = try #require(Files.text(Fixtures.path("../../man/\(name)")))
    return text.split(separator: "\n").map(String.init)
  }

  /// The options in lines of a page: `t`, `-wait`.
  private static func options(_ lines: [String]) -> Set<String> {
    let words = lines.flatMap { $0.split(separator: " ") }
    let found = words.indices.filter { $0 > 0 && words[$0 - 1] == "Fl" }.map { String(words[$0]) }
    return Set(found)
  }

  @Test func optionsOfTheHelpAreInThePage() throws {
    let stage = try SendStage()
    let help = try stage.program.run("--help").output
    let words = help.split { " ,\n".contains($0) }.filter { $0.hasPrefix("-") && $0.count > 1 }
    let page = Self.options(try Self.page("magnum-send.1").filter { $0.hasPrefix(".It Fl") })
    #expect(words.count > 15)
    for word in words where word != "--]" && word != "[--]" {
      #expect(page.contains(String(word.dropFirst())), "\(word)")
    }
  }

  @Test func statusesAreThoseOfTheProgram() throws {
    let source = try #require(
      Files.text(Fixtures.path("../../Sources/magnum-send/SendStatus.swift"))
    )
    let ours = source.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      return words.count == 4 && words[0] == "case" ? String(words[3]) : nil
    }
    let page = try Self.page("magnum-send.1")
    let start = try #require(page.firstIndex(of: ".Sh EXIT STATUS"))
    let end = try #require(page.firstIndex(of: ".Sh EXAMPLES"))
    let shown = page[start..<end].filter { $0.hasPrefix(".It ") }.map { String($0.dropFirst(4)) }
    #expect(shown == ours && ours.count == 10)
  }

  @Test func factsOfLogsAndFieldsOfEntriesAreInThePage() throws {
    let page = try Self.page("magnum-formats.5").joined(separator: " ").split {
      " ,;.".contains($0)
    }
    let words = Set(page.map(String.init))
    for word in [
      "sending", "accepted", "refused", "deferred", "unanswered", "unsent", "split", "copying",
      "done", "postponed", "rejected", "failed", "held", "released", "retried",
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
