package import Configuration
internal import MailModel
package import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// A message of Magnum's own for the user, put into the folder of his inbox: it never leaves this machine.
///
/// The record of the mailbox knows it as a detached file before it is there, so that no sync uploads it.
package struct InboxNotice: Sendable {
  private let base: [UInt8]
  private let octets: [UInt8]

  /// A notice; `name` is that of its file except for the ending, always the same for the same notice, so that a repeat makes no second file.
  package init(_ octets: [UInt8], name: [UInt8]) {
    self.octets = octets
    base = NoticeName.base(name)
  }

  /// Puts it into the inbox of the account; durable when it returns.
  ///
  /// - Returns: whether it is there; false where the account has no folder for its inbox yet.
  /// - Throws: `SyncFailure`, among them `locked` while a sync of the account is under way.
  package func deliver(to account: Account) throws(SyncFailure) -> Bool {
    let places = AccountPlaces(of: account)
    let (tree, store) = (places.tree, places.store)
    guard account.server != nil else {
      guard let directory = try plainInbox(tree) else { return false }
      try write(into: directory)
      return true
    }
    guard let lock = try store.lockBesideSync() else { return false }
    defer { lock.release() }
    guard let journal = try journal(store) else { return false }
    let directory = tree.path(of: journal.state.header.directory)
    guard try isMaildir(directory) else { return false }
    if !journal.state.detached.contains(base) {
      try attempt(journal.record([.detached(name: base)]))
    }
    try write(into: directory)
    return true
  }

  private func journal(_ store: StateStore) throws(SyncFailure) -> Journal? {
    try attempt { () throws(SystemError) in
      let inbox = MailboxName(wire: Array("INBOX".utf8)).wire
      guard let entry = try store.loadSummary()?.entries[inbox],
        case .present(let journal) = try store.open(entry.header.id)
      else { return nil }
      return journal
    }
  }

  /// The inbox of a Maildir without a server: the folder of that name, else the root itself.
  private func plainInbox(_ tree: FolderTree) throws(SyncFailure) -> Path? {
    for directory in [tree.root.appending("INBOX"), tree.root] where try isMaildir(directory) {
      return directory
    }
    return nil
  }

  private func isMaildir(_ directory: Path) throws(SyncFailure) -> Bool {
    try attempt { () throws(SystemError) in
      for name in ["cur", "new", "tmp"] {
        guard try FileSystem.status(directory.appending(name))?.kind == .directory else {
          return false
        }
      }
      return true
    }
  }

  private func write(into directory: Path) throws(SyncFailure) {
    try attempt { () throws(SystemError) in
      let scan = try MaildirScan.scan(directory)
      guard !scan.files.contains(where: { $0.name.base == base }) else { return }
      let temporary = directory.appending("tmp").appending(base)
      try AtomicFile.replace(temporary, with: octets)
      try FileSystem.rename(temporary, to: directory.appending("new").appending(base))
      try FileSystem.synchroniseDirectory(directory.appending("new"))
    }
  }
}
