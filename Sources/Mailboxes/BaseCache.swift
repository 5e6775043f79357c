internal import Platform

/// Keeps what the look without the server read of mailboxes, so that it need not be read again right after.
///
/// Sendable, since a base is put here before any connection begins its work, and is taken out just once, by the
/// thread that works on its mailbox from then on.
final class BaseCache: @unchecked Sendable {
  private struct Item {
    let base: MailboxBase
    let time: Int64
  }

  /// What is older, in seconds, is read again: files may have been renamed.
  private static let freshness: Int64 = 3

  private let lock = Monitor(())
  private var items: [UInt64: Item] = [:]

  /// Keeps the base of a mailbox.
  func put(_ base: MailboxBase, of mailbox: UInt64) {
    lock.withLock { _ in
      items[mailbox] = Item(base: base, time: Clock.monotonicNanoseconds())
    }
  }

  /// Whether the base of a mailbox is kept in which messages are without their files.
  func hasFileless(_ mailbox: UInt64) -> Bool {
    lock.withLock { _ in !(items[mailbox]?.base.difference?.fileless.isEmpty ?? true) }
  }

  /// The base of a mailbox, once; nil where none is kept or it is too old.
  func take(of mailbox: UInt64) -> MailboxBase? {
    let item = lock.withLock { _ in items.removeValue(forKey: mailbox) }
    guard let item, Clock.monotonicNanoseconds() - item.time < Self.freshness * 1_000_000_000
    else { return nil }
    return item.base
  }
}
