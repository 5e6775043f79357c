internal import IMAP
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan

/// Removes mailboxes and folders whose other side is no more, and forgets those that are gone on both.
struct FolderRemovals {
  private let context: AccountContext
  private let connection: Connection
  private let ledger: FolderLedger

  init(_ context: AccountContext, _ connection: Connection, _ ledger: FolderLedger) {
    self.context = context
    self.connection = connection
    self.ledger = ledger
  }

  /// An empty mailbox goes; one with mail in it only where the user said so.
  func removeThere(
    _ entry: KnownMailbox,
    _ listing: MailboxListing.Result,
    _ summary: inout Summary
  ) throws(SyncFailure) -> Bool {
    let name = entry.name
    guard let listed = listing.entries.first(where: { $0.name == name }), !name.isInbox else {
      return false
    }
    let path = MailboxPath(name, delimiter: listed.delimiter)
    var listing = listing
    if listing.status[name] == nil {
      try RenameQuestions(context, connection).askStatus([name], &listing)
    }
    let isEmpty = listing.status[name]?.messages == 0
    guard isEmpty || context.allowsMassDeletion(in: path.joined) else { return false }
    let response = try connection.perform(.delete(name))
    guard response.kind == .ok else {
      ledger.report(path.components, .commandRefused(command: "DELETE", response))
      return false
    }
    _ = try connection.perform(.unsubscribe(name))
    try forget(entry, &summary)
    return true
  }

  /// An empty folder goes; one with mail in it only where the user said so and all of it was on the server.
  func removeHere(
    _ entry: KnownMailbox,
    _ directory: [UInt8],
    _ summary: inout Summary
  ) throws(SyncFailure) -> Bool {
    let isAllowed = context.allowsMassDeletion(in: context.tree.naming.name(of: directory))
    let stored = try attempt { () throws(SystemError) in try context.store.open(entry.id) }
    guard case .present(let journal) = stored else { return false }
    let known = isAllowed ? journal.state : MailboxState(journal.state.header)
    let isGone = try attempt { () throws(SystemError) in
      try FolderRemoval(context.tree.path(of: directory)).run(known)
    }
    guard isGone else { return false }
    try forget(entry, &summary)
    return true
  }

  /// A run that was stopped behind its DELETE left a subscription to what is no more.
  func forgetEverywhere(
    _ entry: KnownMailbox,
    _ summary: inout Summary
  ) throws(SyncFailure) {
    if context.policy.pushes { _ = try connection.perform(.unsubscribe(entry.name)) }
    try forget(entry, &summary)
  }

  private func forget(_ entry: KnownMailbox, _ summary: inout Summary) throws(SyncFailure) {
    try attempt { () throws(SystemError) in try context.store.remove(entry.id) }
    summary.drop(entry)
  }
}
