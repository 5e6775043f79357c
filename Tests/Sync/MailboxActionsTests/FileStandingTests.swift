import MailModel
import TestSupport
import Testing

@testable import MailboxActions

@Suite struct FileStandingTests {
  @Test(arguments: try Fixtures.load("Fixtures/standings.txt"))
  func verdicts(_ fixture: Fixture) throws {
    for line in fixture.lines() {
      let parts = line.split(separator: ": ").map { "\($0)" }
      let sides = parts[0].split(separator: ", ").map { "\($0)" }
      let verdict = try standing(sides[0]).verdict(on: try change(sides[1]))
      #expect(text(verdict) == parts[1], "\(line)")
    }
  }

  private func standing(_ text: String) throws -> FileStanding {
    var words = text.split(separator: " ").map { "\($0)" }
    switch words.removeFirst() {
    case "never": return .never
    case "gone": return .gone
    case "at": return .atTarget
    case "in": return .inPlace(try flags(try #require(words.last)))
    default: return .elsewhere(try flags(try #require(words.last)))
    }
  }

  private func change(_ text: String) throws -> FileStanding.Change {
    guard text != "place" else { return .place }
    let words = text.split(separator: " ").map { "\($0)" }
    return .flags(
      adding: try flags(words.first { $0.hasPrefix("+") } ?? "-"),
      removing: try flags(words.dropFirst().first { $0.hasPrefix("-") } ?? removed(words)),
      isShowable: !text.hasSuffix("keyword")
    )
  }

  private func removed(_ words: [String]) -> String {
    words.first.flatMap { $0.hasPrefix("-") ? $0 : nil } ?? "-"
  }

  private func flags(_ text: String) throws -> SystemFlags {
    try text.drop { $0 == "+" || $0 == "-" }.reduce(into: []) { flags, letter in
      switch letter {
      case "S": flags.insert(.seen)
      case "F": flags.insert(.flagged)
      default: throw Unknown(letter: letter)
      }
    }
  }

  private struct Unknown: Error {
    let letter: Character
  }

  private func text(_ verdict: FileStanding.Verdict?) -> String {
    switch verdict {
    case .leftToSync: "sync"
    case .superseded: "superseded"
    case nil: "ask"
    }
  }
}
