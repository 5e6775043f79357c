internal import Configuration
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
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

  /// What the last sync recorded of a file that lay in `folder` then, as now; nil for one that it did not see there.
  func record(of base: [UInt8], in folder: [UInt8]) throws(SystemError) -> BaseRecord? {
    guard let owner = try OwnershipMarker(tree.path(of: folder)).owner(),
      let state = try state(of: owner)
    else { return nil }
    return state.uid(of: base).flatMap { state.messages[$0] }
  }

  private func holds(_ base: [UInt8], _ mailbox: UInt64) throws(SystemError) -> Bool {
    try state(of: mailbox)?.uid(of: base) != nil
  }

  private func state(of mailbox: UInt64) throws(SystemError) -> MailboxState? {
    if let known = states[mailbox] { return known }
    let state = try store.state(of: mailbox)
    states[mailbox] = .some(state)
    return state
  }

  private func known() throws(SystemError) -> [MailboxHeader] {
    if let headers { return headers }
    let found = try store.headers()
    headers = found
    return found
  }
}
