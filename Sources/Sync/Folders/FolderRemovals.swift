internal import MailModel
internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Removes mailboxes and folders whose other side is no more, and forgets those that are gone on both.
struct FolderRemovals {
  /// A mailbox that was removed from the server.
  struct DeletedMailbox {
    /// Whether no message was in it: then all that is on record of it may be elsewhere.
    let wasEmpty: Bool
  }

  private let context: FolderContext
  private let store: any MailStore
  private let folderState: FolderState

  init(_ context: FolderContext, _ store: any MailStore, _ folderState: FolderState) {
    self.context = context
    self.store = store
    self.folderState = folderState
  }

  /// An empty mailbox is removed; one with mail only where the user said so.
  ///
  /// Then each message in it has to have been here with its attachments, and unflagged there since. None may have a file where
  /// the run does not look.
  ///
  /// What is on record of it stays; nil where it is not to be removed, or cannot be.
  func removeThere(
    _ entry: KnownMailbox,
    _ listing: ServerListing
  ) throws(SyncFailure) -> DeletedMailbox? {
    let name = entry.name
    guard let listed = listing[name], !name.isInbox else { return nil }
    let path = listed.path
    let state = try attempt(context.store.state(of: entry.id))
    let known = context.allowsMassDeletion(path.joined) ? try removable(state) : []
    let flagged = known.filter { state?.messages[$0]?.flags.system.contains(.flagged) ?? true }
    let mailbox = MailboxReference(name, entry.identity)
    switch try store.delete(mailbox, holdingOnly: known, flagged: flagged) {
    case .deleted(let wasEmpty): return DeletedMailbox(wasEmpty: wasEmpty)
    case .holdsOthers: return nil
    case .refused(let refusal):
      folderState.report(path.components, .commandRefused(.delete, refusal))
      return nil
    }
  }

  /// The messages of a mailbox that may go with it; none where its records are lost.
  ///
  /// They were here with their attachments, and their files are not where the run does not look, or they are on their way out.
  private func removable(_ state: MailboxState?) throws(SyncFailure) -> Set<UInt32> {
    guard let state, let kept = try MovedFiles(context).outOfSight(state) else { return [] }
    let known = state.messages.filter { !$0.completeness.isPartial }.map(\.uid)
    return Set(known).subtracting(kept).union(state.pendingExpunges.keys)
  }

  /// An empty folder goes; one with mail in it only where the user said so and all of it was on the server as it is here.
  func removeHere(
    _ entry: KnownMailbox,
    _ directory: [UInt8],
    _ summary: inout Summary
  ) throws(SyncFailure) -> Bool {
    let isAllowed = context.allowsMassDeletion(context.tree.naming.name(of: directory))
    let state = try attempt(context.store.state(of: entry.id))
    guard let state else { return false }
    let known = isAllowed ? state : MailboxState(state.header)
    let isGone = try attempt(FolderRemoval(context.tree.path(of: directory)).removeFolder(known))
    guard isGone else { return false }
    try forget(entry, &summary)
    return true
  }

  /// Names and marker say that the folder is detached before the record goes.
  func detach(
    _ entry: KnownMailbox,
    _ directory: [UInt8],
    _ summary: inout Summary
  ) throws(SyncFailure) {
    try detach(entry.id, directory)
    summary.drop(entry)
  }

  /// Names and marker say that the folder is detached before what is recorded of its mailbox goes, as far as that is there.
  func detach(_ mailbox: UInt64, _ directory: [UInt8]) throws(SyncFailure) {
    let stored = try attempt(context.store.open(mailbox))
    let state: MailboxState?
    switch stored {
    case .present(let journal): state = journal.state
    case .absent, .untrusted: state = nil
    case .newer(let file): throw .newerState(file)
    }
    let path = context.tree.path(of: directory)
    try attempt { () throws(SystemError) in
      try FolderDetaching(path, of: mailbox, state, account: context.store.directory).detachFiles()
      try context.store.remove(mailbox)
    }
  }

  /// A run that was stopped behind its DELETE left a subscription to what is no more.
  func forgetEverywhere(
    _ entry: KnownMailbox,
    _ summary: inout Summary
  ) throws(SyncFailure) {
    if context.rules.pushes { try store.unsubscribe(entry.name) }
    try forget(entry, &summary)
  }

  /// Gives up what is on record of a mailbox.
  func forget(_ entry: KnownMailbox, _ summary: inout Summary) throws(SyncFailure) {
    try attempt(context.store.remove(entry.id))
    summary.drop(entry)
  }
}
