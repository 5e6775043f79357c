internal import Configuration
internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncState
internal import Hashing

/// The root of an account for the length of a run: locked, known to be the right one, free of leftovers.
struct AccountRoot {
  /// The root's own number.
  let number: UInt64

  private let lock: FileLock?
  private let origin: AccountOrigin
  private let isOriginKnown: Bool
  private let isDryRun: Bool

  /// Locks the root; a first run makes it.
  ///
  /// A dry run changes nothing, and locks only what is there.
  ///
  /// - Throws: `SyncFailure` when another run holds it, or it is not the root that was mirrored before.
  init(_ context: AccountContext, memory: Path) throws(SyncFailure) {
    let root = context.account.maildir
    let identity = RootIdentity(root: root, store: context.store, memory: memory)
    isDryRun = context.options.isDryRun
    try Self.makeDirectories(identity, context)
    lock = try Self.acquireLock(context)
    number = try Self.number(of: identity, context)
    try Self.removeLeftovers(context)
    origin = AccountOrigin(context.account, store: context.store)
    isOriginKnown = try Self.isKnown(origin, root)
  }

  /// Lets other runs in.
  func release() {
    lock?.release()
  }

  /// Remembers whose mailboxes the root mirrors; durable when it returns.
  func rememberOrigin() throws(SyncFailure) {
    guard !isOriginKnown, !isDryRun else { return }
    try attempt(origin.remember())
  }

  /// What a killed run left half written; no other process writes while the lock is held.
  private static func removeLeftovers(_ context: AccountContext) throws(SyncFailure) {
    guard !context.options.isDryRun else { return }
    try attempt { () throws(SystemError) in
      try FileSystem.makeDirectories(context.store.mailboxes)
      try AtomicFile.removeLeftovers(in: context.store.directory)
      try AtomicFile.removeLeftovers(in: context.store.mailboxes)
    }
  }

  /// Makes the directories of a first run; the lock needs a place.
  private static func makeDirectories(
    _ identity: RootIdentity,
    _ context: AccountContext
  ) throws(SyncFailure) {
    let finding = try compare(identity, context)
    guard !context.options.isDryRun else { return }
    switch finding {
    case .first, .missing: break
    case .same, .foreign, .other: return
    }
    try attempt(FileSystem.makeDirectories(context.store.mailboxes))
  }

  /// The root's number; the lock is held, since two first runs would each give it one.
  private static func number(
    of identity: RootIdentity,
    _ context: AccountContext
  ) throws(SyncFailure) -> UInt64 {
    let isNew: Bool
    let id: UInt64
    switch try compare(identity, context) {
    case .same(let known): return known
    case .foreign(let known): (id, isNew) = (known, false)
    case .missing(_, let number): (id, isNew) = (number, true)
    case .first, .other: (id, isNew) = (UInt64(octets: Hashes.random(8)), true)
    }
    guard !context.options.isDryRun else { return id }
    try attempt(identity.establish(id, isNew: isNew))
    return id
  }

  /// Compares the root with the one of the last run.
  ///
  /// - Throws: `rootMissing` where it is another one, or there is nothing of it.
  private static func compare(
    _ identity: RootIdentity,
    _ context: AccountContext
  ) throws(SyncFailure) -> RootIdentity.Finding {
    let finding = try attempt(identity.find())
    switch finding {
    case .missing where try isInOtherLayout(context): throw .layoutChanged(context.account.maildir)
    case .missing where try holdsMirror(context): return finding
    case .missing(let remembered, _), .other(let remembered):
      throw .rootMissing(root: context.account.maildir, remembered: remembered)
    case .same, .first, .foreign: return finding
    }
  }

  /// Whether the root without its state holds mail that was mirrored.
  ///
  /// Then only the state is lost, and all is matched anew. An empty directory, such as the place of a disk
  /// that is not mounted, is another matter.
  private static func holdsMirror(_ context: AccountContext) throws(SyncFailure) -> Bool {
    try attempt { () throws(SystemError) in
      for relative in try context.tree.maildirs().maildirs {
        let directory = context.tree.path(of: relative)
        let files = try MaildirScan.scan(directory).files
        if files.isEmpty { continue }
        if try OwnershipMarker(directory).owner() != nil { return true }
        if files.contains(where: { MessageKey(baseName: $0.name.base) != nil }) { return true }
      }
      return false
    }
  }

  /// Whether the root is known to mirror the configured user and server; false where nothing is known.
  ///
  /// - Throws: `otherOrigin` where it mirrors others, `labels` where their labels were something else here.
  private static func isKnown(_ origin: AccountOrigin, _ root: Path) throws(SyncFailure) -> Bool {
    let remembered = try attempt(origin.remembered())
    guard let remembered else { return false }
    guard remembered.origin == origin.configured else {
      throw .otherOrigin(origin.file, mirrored: remembered.origin, configured: origin.configured)
    }
    guard remembered.labels == origin.labels else {
      throw .labels(.otherStyle(root, remembered.labels))
    }
    return true
  }

  private static func isInOtherLayout(_ context: AccountContext) throws(SyncFailure) -> Bool {
    let other: FolderLayout =
      context.tree.layout == .verbatim ? .maildirPlusPlus : .verbatim
    let store = StateStore(root: context.account.maildir, layout: other)
    return try attempt(FileSystem.status(store.rootIdentity) != nil)
  }

  private static func acquireLock(_ context: AccountContext) throws(SyncFailure) -> FileLock? {
    let path = context.store.lock
    let outcome = try attempt { () throws(SystemError) -> FileLock.Outcome? in
      if context.options.isDryRun, try FileSystem.status(path) == nil { return nil }
      return try FileLock.acquire(path)
    }
    switch outcome {
    case .acquired(let lock): return lock
    case .heldByOther: throw .locked(path)
    case .unsupported: throw .lockUnsupported(path)
    case nil: return nil
    }
  }
}
