internal import Configuration
internal import Correspondence
internal import MailModel
internal import Maildir
internal import Platform
internal import SyncPlan
internal import SyncState

/// Leaves one copy of each message to an act that takes messages out of all mailboxes, where mailboxes are labels.
///
/// The server takes the message out of the others itself, and the next sync removes their files. Were those moved too, they would
/// be further files of one message in a mailbox that can hold it once.
struct LabelledCopies {
  /// A message of an account, by what is on record of it.
  private struct Message: Hashable {
    let account: String
    let identity: ContentIdentity
    let size: UInt64?
  }

  private let role: MailboxRole?
  private let folders: (Account) -> AccountFolders
  private var places: [String: SyncedPlaces?] = [:]

  init(_ verb: TriageVerb, _ folders: @escaping (Account) -> AccountFolders) {
    role = verb.role
    self.folders = folders
  }

  /// Drops the files whose message the server takes along with that of another one.
  mutating func leaveOne(of target: inout Target) throws(Explanation) {
    guard role == .trash || role == .junk, target.files.count > 1 else { return }
    var taken: Set<Message> = []
    var left: [TargetFile] = []
    for file in target.files {
      if let message = try message(of: file), !taken.insert(message).inserted { continue }
      left.append(file)
    }
    target.files = left
  }

  /// What the last sync saw where the file lies; nil for none, and where mailboxes are no labels.
  private mutating func message(of file: TargetFile) throws(Explanation) -> Message? {
    guard let places = try places(of: file.account) else { return nil }
    let record = try explaining(.noInput, place: file.account.name) { () throws(SystemError) in
      try places.record(of: file.file.name.base, in: file.folder)
    }
    guard let record, let identity = record.identity else { return nil }
    return Message(account: file.account.name, identity: identity, size: record.size)
  }

  /// Nil where the server takes no message out of other mailboxes, or no sync brings that here.
  private mutating func places(of account: Account) throws(Explanation) -> SyncedPlaces? {
    if let known = places[account.name] { return known }
    let found = try isLabelled(account) ? SyncedPlaces(account) : nil
    places[account.name] = .some(found)
    return found
  }

  private func isLabelled(_ account: Account) throws(Explanation) -> Bool {
    guard account.server != nil, account.sync.direction == .both, let role else { return false }
    let folders = folders(account)
    guard let target = try folders.folder(for: role), try folders.isTold(target, for: role) else {
      return false
    }
    let store = StateStore(root: account.maildir, layout: account.layout)
    let summary = try explaining(.noInput, place: account.name) { () throws(SystemError) in
      try store.loadSummary()
    }
    return summary?.hasLabels == true
  }
}
