internal import Maildir
internal import MailStore
internal import Platform
internal import SyncState

/// What is here of a mailbox before the server is asked: its journal and its files.
struct MailboxBase {
  /// The Maildir, relative to the account's root.
  let directory: [UInt8]
  /// Nil where the mailbox was never mirrored, or where its record cannot be trusted.
  var journal: Journal?
  var local: LocalMailbox
  /// Whether there is a journal and no directory.
  var isDirectoryMissing = false
  /// Whether there is a record that cannot be trusted.
  var isUntrusted = false
  /// What names here and on record do not have in common; nil without a journal.
  let difference: NameDifference?

  /// Whether messages are known to be without their files.
  var hasFileless: Bool { !(difference?.fileless.isEmpty ?? true) }

  /// Opens what is here of a mailbox with that id, whose Maildir is `relative` to the account's root.
  ///
  /// - Throws: `SyncFailure` where the directory is another mailbox's, or cannot be read.
  init(_ id: UInt64, _ relative: [UInt8], _ context: MailboxContext) throws(SyncFailure) {
    self.directory = relative
    let directory = context.tree.path(of: relative)
    let isForeign = try attempt(Self.isTaken(directory, id, context))
    guard !isForeign else { throw .mailbox(.directoryTaken(directory)) }
    let isThere = try attempt(Self.isMaildir(directory))
    let stored = try attempt(context.store.open(id))
    switch stored {
    case .present(let found): journal = found
    case .absent: journal = nil
    case .untrusted: (journal, isUntrusted) = (nil, true)
    case .newer(let file): throw .newerState(file)
    }
    let state = journal?.state
    local =
      try isThere
      ? attempt(LocalMailbox(directory, beside: state))
      : LocalMailbox()
    isDirectoryMissing = journal != nil && !isThere
    let files = local.files
    difference = journal.map { NameDifference(files, $0.state) }
  }

  /// Whether the directory belongs to another mailbox of the account; a marker without a map is a leftover.
  private static func isTaken(
    _ directory: Path,
    _ id: UInt64,
    _ context: MailboxContext
  ) throws(SystemError) -> Bool {
    guard let owner = try OwnershipMarker(directory).owner(), owner != id else {
      return false
    }
    return try FileSystem.status(context.store.file(owner, "map")) != nil
  }

  private static func isMaildir(_ directory: Path) throws(SystemError) -> Bool {
    for name in ["cur", "new"] where try FileSystem.status(directory.appending(name)) == nil {
      return false
    }
    return true
  }
}

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
