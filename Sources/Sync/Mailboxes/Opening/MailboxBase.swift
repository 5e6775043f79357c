internal import MailStore
internal import Maildir
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
