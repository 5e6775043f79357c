internal import Configuration
internal import Correspondence
internal import Maildir
internal import MailModel
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// What the next sync does on servers with copies that were removed here: those that a server has are messages to it like all
/// others, and may be the last of theirs by then.
///
/// For one thread at a time.
struct SyncedCopies {
  private let accounts: [Account]
  private var places: [String: (synced: SyncedPlaces, folders: AccountFolders)] = [:]

  init(_ accounts: [Account]) {
    self.accounts = accounts
  }

  /// How many of the files that steps remove are not gone from their servers then.
  mutating func remnants(of steps: [ActStep]) throws(Explanation) -> UndoPlan.Remnants {
    var remnants = UndoPlan.Remnants()
    for step in steps {
      guard case .removal(let place) = step.change else { continue }
      switch try fate(step, place.folder) {
      case .trash: remnants.inTrash += 1
      case .keep: remnants.onServer += 1
      case .expunge: break
      }
    }
    return remnants
  }

  /// What becomes of the server's message; of one that the server does not have, that it is gone.
  private mutating func fate(
    _ step: ActStep,
    _ folder: [UInt8]
  ) throws(Explanation) -> LocalDeletion {
    guard let account = accounts.first(where: { $0.name == step.account }), account.server != nil
    else { return .expunge }
    let (synced, folders) =
      places[account.name] ?? (SyncedPlaces(account), AccountFolders(account))
    places[account.name] = (synced, folders)
    let known = try explaining(.noInput, place: account.name) { () throws(SystemError) in
      try synced.place(of: step.base, in: folder)
    }
    guard let known else { return .expunge }
    let settings = account.settings(ofFolder: folder)
    guard settings.direction != .pull else { return .keep }
    guard settings.localDeletion == .trash else { return settings.localDeletion }
    switch try folders.role(of: known) {
    case .trash, .drafts: return .expunge
    case .none, .snoozed: return try hasLabels(account) ? .expunge : .trash
    case .some: return .trash
    }
  }

  /// Where mailboxes are labels the message only loses that of the copy.
  private func hasLabels(_ account: Account) throws(Explanation) -> Bool {
    let store = StateStore(root: account.maildir, layout: account.layout)
    let summary = try explaining(.noInput, place: account.name) { () throws(SystemError) in
      try store.loadSummary()
    }
    return summary?.hasLabels == true
  }
}

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
