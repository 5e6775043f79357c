internal import Platform

/// Bases of mailboxes that were read before they are needed, each until it is taken.
///
/// Sendable, though a base is not: the thread that read it leaves it here, and it belongs to the one that takes it.
final class BaseCache: @unchecked Sendable {
  /// What is known of a mailbox whose base is kept.
  struct Content {
    /// Whether messages are without their files.
    let hasFileless: Bool
  }

  private struct Item {
    let base: MailboxBase
    let time: Int64
  }

  /// What is older, in seconds, may be read again: files may have been renamed.
  private static let freshness: Int64 = 3

  private let lock = Monitor(())
  private var items: [UInt64: Item] = [:]

  /// Keeps the base of a mailbox.
  func put(_ base: MailboxBase, of mailbox: UInt64) {
    lock.withLock { _ in
      items[mailbox] = Item(base: base, time: Clock.monotonicNanoseconds())
    }
  }

  /// The mailboxes whose bases are kept, by their ids.
  func contents() -> [UInt64: Content] {
    lock.withLock { _ in items.mapValues { Content(hasFileless: $0.base.hasFileless) } }
  }

  /// Whether the base of a mailbox is kept in which messages are without their files.
  func hasFileless(_ mailbox: UInt64) -> Bool {
    lock.withLock { _ in items[mailbox]?.base.hasFileless ?? false }
  }

  /// The base of a mailbox, however old, and forgets it; nil where none is kept.
  func takeBase(of mailbox: UInt64) -> MailboxBase? {
    lock.withLock { _ in items.removeValue(forKey: mailbox) }?.base
  }

  /// The base of a mailbox, and forgets it; nil where none is kept or it is too old.
  func takeFresh(of mailbox: UInt64) -> MailboxBase? {
    let item = lock.withLock { _ in items.removeValue(forKey: mailbox) }
    guard let item, Clock.monotonicNanoseconds() - item.time < Self.freshness * 1_000_000_000
    else { return nil }
    return item.base
  }

  /// Forgets all of them.
  func removeAll() {
    lock.withLock { _ in items = [:] }
  }
}
