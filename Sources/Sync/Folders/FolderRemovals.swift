internal import Maildir
internal import MailModel
internal import MailStore
internal import MessageContent
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

/// Removes a folder whose mailbox is no more.
struct FolderRemoval {
  private let directory: Path

  init(_ directory: Path) {
    self.directory = directory
  }

  /// Removes the folder where every file in it is one of the state's, was not flagged since, and holds what it held then;
  /// gives whether it is gone.
  ///
  /// Folders below it stay.
  func removeFolder(_ state: MailboxState) throws(SystemError) -> Bool {
    guard let scan = try MaildirScan.scanIfPresent(directory) else { return true }
    guard scan.isSettled, scan.oddities.isEmpty else { return false }
    for file in scan.files where try !isUnchanged(file, state) { return false }
    for file in scan.files { try FileSystem.remove(file.path(in: directory)) }
    for subdirectory in Subdirectory.allCases {
      let path = subdirectory.path(in: directory)
      guard try isEmptied(path) else { return false }
    }
    try KeywordFile.remove(in: directory)
    try TagFile().write(in: directory)
    try OwnershipMarker(directory).remove()
    // What else is kept there stays.
    try? FileSystem.removeDirectory(directory)
    try FileSystem.synchroniseDirectory(directory.parent)
    return true
  }

  private func isUnchanged(_ file: ScannedFile, _ state: MailboxState) throws(SystemError) -> Bool {
    guard let uid = state.uid(of: file.name.base), let message = state.messages[uid],
      message.flags.system.contains(.flagged) || !file.name.flags.contains(.flagged)
    else { return false }
    // Another program may just have renamed it.
    guard let content = try MessageContents(of: file.path(in: directory)) else { return false }
    if let version = state.versions[uid], version.size != content.version.size { return false }
    // Of a part that is left out nothing can be lost: the record has what the file holds, of a whole message its size at least.
    return message.identity.map(content.holds)
      ?? (!message.completeness.isPartial && content.wireSize == message.size)
  }

  private func isEmptied(_ path: Path) throws(SystemError) -> Bool {
    do {
      try FileSystem.removeDirectory(path)
      return true
    } catch {
      return error.isNotFound
    }
  }
}
