import Octets
import Testing

@testable import Configuration

/// How near two words are, and which one was meant.
@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("imap", "imap", 0), ("imap", "IMAP", 0),
    ("iamp", "imap", 1), ("imap", "imaps", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func distance(_ first: String, _ second: String, _ expected: Int) {
    #expect(Suggestion.distance(first, second) == expected)
    #expect(Suggestion.distance(second, first) == expected)
  }

  @Test func theNearestWinsAndTheFarDoNotCount() {
    #expect(Suggestion.nearest(to: "widnow", among: ["include", "window"]) == "window")
    #expect(Suggestion.nearest(to: "ab", among: ["ba", "bb"]) == "ba")
    #expect(Suggestion.nearest(to: "ab", among: ["xy"]) == nil)
    #expect(Suggestion.nearest(to: "layout", among: []) == nil)
  }

  @Test("other programs' names stand for keys that there are")
  func otherNames() {
    let known = Set(ConfigurationKey.all.map(\.name) + KeySection.allCases.flatMap(\.sections))
    for (theirs, ours) in KeySuggestion.otherNames {
      #expect(known.contains(ours), "\(ours)")
      #expect(!known.contains(theirs), "\(theirs)")
      #expect(theirs == theirs.lowercased())
    }
  }
}
