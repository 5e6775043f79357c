import Query
import TestSupport
import Testing

@testable import AgentPlan

/// What an agent may change of messages without changing what it sees.
@Suite struct ViewTermsTests {
  private static func query(_ text: String) throws -> Query {
    try QueryParser.parse([UInt8](text.utf8), DateContext(now: 1_795_000_000) { _ in 0 })
  }

  /// The queries of a view, a change, and whether it would change the view.
  static let changes: [(read: String, never: String, change: String, isHeld: Bool)] = [
    ("*", "a", "tag:x", false), ("tag:x", "a", "tag:x", true), ("*", "is:X", "tag:x", true),
    ("*", "not tag:x", "tag:x", true), ("*", "thread:{tag:x}", "tag:x", true),
    ("*", "a or (b xor tag:x)", "tag:x", true), ("tag:y", "a", "tag:x", false),
    ("tag:/^x/", "a", "tag:x", true), ("tag:/^y/", "a", "tag:x", false),
    ("*", "not tag:*", "tag:x", true), ("*", "a", "tag:hidden", true),
    ("*", "a", "tag:HIDDEN", true),
    ("subject:x", "x", "tag:x", false), ("*", "a", "seen", false),
    ("is:unread", "a", "seen", false),
    ("thread:{is:unread}", "a", "seen", true), ("thread:{not is:read}", "a", "seen", true),
    ("*", "thread:{a or tag:seen}", "seen", true), ("thread:{is:flagged}", "a", "seen", false),
    ("thread:{is:flagged}", "a", "flagged", true), ("is:flagged", "a", "flagged", false),
    ("thread:{thread:{a not is:flagged}}", "a", "flagged", true),
    ("folder:INBOX", "folder:Private", "place", false),
    ("thread:{folder:INBOX}", "a", "place", true), ("*", "thread:{tag:inbox}", "place", true),
    ("thread:{path:INBOX/**}", "a", "place", true), ("thread:{folder:/x/}", "a", "place", true),
    ("thread:{tag:/x/}", "a", "place", true), ("thread:{from:a}", "a", "place", false),
  ]

  @Test(arguments: changes.indices)
  func changesAreHeldAgainstTheView(_ index: Int) throws {
    let row = Self.changes[index]
    let terms = ViewTerms(
      [try Self.query(row.read), try Self.query(row.never)],
      excluded: [[UInt8]("hidden".utf8)]
    )
    let isHeld =
      switch row.change {
      case "seen": terms.joinsThreads(by: .seen)
      case "flagged": terms.joinsThreads(by: .flagged)
      case "place": terms.joinsThreads(by: .place)
      default:
        terms.names([UInt8](row.change.dropFirst(4).utf8)) { pattern, tag in
          pattern == [UInt8]("^x".utf8) && tag.first == UInt8(ascii: "x")
        }
      }
    #expect(isHeld == row.isHeld, "\(row)")
  }
}
