import Correspondence
import Platform
import TestSupport
import Testing

/// The lists that were left.
@Suite struct UnsubscribedListsTests {
  private static func entry(
    _ time: Int64,
    _ list: String,
    _ account: String = "work"
  ) -> UnsubscribedLists.Entry {
    UnsubscribedLists.Entry(
      time: time,
      account: account,
      list: Array(list.utf8),
      way: "mail",
      result: "sent"
    )
  }

  /// Of the same list and account, the last time before a message; one who subscribed again is told of the time since.
  @Test(
    arguments: [
      ("a", "work", 101, 100), ("a", "work", 100, nil), ("a", "work", 300, 100),
      ("a", "work", 301, 300), ("a", "work", 999, 300), ("a", "home", 999, 200),
      ("b", "work", 999, 250),
      ("b", "home", 999, nil), ("c", "work", 999, nil),
    ] as [(String, String, Int64, Int64?)]
  )
  func theLastTimeBeforeAMessageCounts(
    _ list: String,
    _ account: String,
    _ moment: Int64,
    _ time: Int64?
  ) {
    let entries = [
      Self.entry(300, "a"), Self.entry(100, "a"), Self.entry(200, "a", "home"),
      Self.entry(250, "b"),
    ]
    let found = UnsubscribedLists.lastTime(
      Array(list.utf8),
      in: account,
      before: moment,
      of: entries
    )
    #expect(found == time)
  }
}
