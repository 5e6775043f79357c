internal import Configuration
internal import Maildir
internal import Octets
internal import Platform
internal import SyncState

/// Where the last sync of an account saw the messages of files: the server has them there until the next one.
///
/// For one thread at a time.
final class SyncedPlaces {
  private let store: StateStore
  private let tree: FolderTree
  private var headers: [MailboxHeader]?
  private var states: [UInt64: MailboxState?] = [:]

  init(_ account: Account) {
    store = StateStore(root: account.maildir, layout: account.layout)
    tree = FolderTree(root: account.maildir, layout: account.layout)
  }

  /// The folder where the last sync saw the message of a file that lies in `folder` now; nil where it saw none.
  func place(of base: [UInt8], in folder: [UInt8]) throws(SystemError) -> [UInt8]? {
    let directory = tree.path(of: folder)
    if let owner = try OwnershipMarker(directory).owner(), try holds(base, owner) { return folder }
    // The name tells where a message came from, which is where it is in most cases.
    let origin = MessageKey(baseName: base)?.mailbox
    let headers = try known()
    let likely = headers.filter { $0.id == origin } + headers.filter { $0.id != origin }
    for header in likely where try holds(base, header.id) { return header.directory }
    return nil
  }

  private func holds(_ base: [UInt8], _ mailbox: UInt64) throws(SystemError) -> Bool {
    if let known = states[mailbox] { return known?.uid(of: base) != nil }
    let state = try store.state(of: mailbox)
    states[mailbox] = .some(state)
    return state?.uid(of: base) != nil
  }

  private func known() throws(SystemError) -> [MailboxHeader] {
    if let headers { return headers }
    let found = try store.headers()
    headers = found
    return found
  }
}
