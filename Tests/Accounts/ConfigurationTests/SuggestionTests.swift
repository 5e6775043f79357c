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

  /// Names that other programs have for a key, wherever they are written.
  @Test(arguments: [
    "port", "tls", "ssl", "starttls", "patterns", "signature", "aliases", "expire", "read-only",
    "mode", "outgoing", "source", "host", "passcmd", "folderfilter", "default-account",
    "delivery-log", "message-size-limit", "index-filter-unconfined",
  ])
  func everyOtherNameHasAHint(_ name: String) {
    for section in [KeySection.account, .sync] {
      let parents = section == .account ? ["account", "work"] : ["account", "work", "sync"]
      #expect(KeySuggestion.remedy(for: name, in: section, below: parents) != nil, "\(section)")
    }
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
