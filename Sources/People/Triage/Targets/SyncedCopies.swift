internal import Configuration
internal import Correspondence
internal import MailModel
internal import Maildir
internal import Platform
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
    case .none: return try hasLabels(account) ? .expunge : .trash
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
