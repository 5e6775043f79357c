internal import MailModel
internal import Maildir
internal import Platform
internal import WatchPlan

/// What other threads tell the thread of a watched account.
final class Inbox: Sendable {
  /// What is told.
  enum Item: Hashable, Sendable {
    /// A file of a folder came or was written anew, or went, under that name.
    case file(FileMark)
    /// A directory came: its path below the root of the account's Maildirs.
    case directory([UInt8])
    /// Anything else.
    case news(WatchNews)
  }

  /// What is kept; beyond that it is only known of files that they changed.
  private static let limit = 10_000

  let waker = Waker()
  private let items = Monitor([Item]())

  /// Tells something, and wakes the thread.
  func put(_ item: Item) {
    items.withLock { items in
      if items.count >= Self.limit { items = Self.summed(items) }
      items.append(item)
    }
    waker.wake()
  }

  /// The news of items, each once, and that files changed.
  private static func summed(_ items: [Item]) -> [Item] {
    items.reduce(into: [.news(.localChange)]) { sum, item in
      if case .news = item, !sum.contains(item) { sum.append(item) }
    }
  }

  /// Takes all items.
  func takeItems() -> [Item] {
    waker.clear()
    return items.withLock { items in
      defer { items = [] }
      return items
    }
  }
}

/// A change of a name in a folder.
struct FileMark: Hashable, Sendable {
  /// The folder, below the root of the account's Maildirs.
  let folder: [UInt8]
  let subdirectory: Subdirectory
  let name: [UInt8]
  /// Whether the name came; else it went.
  let isThere: Bool
}
