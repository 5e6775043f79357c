internal import CommandLine
internal import Configuration
internal import Correspondence
internal import Maildir
internal import Platform
internal import SyncState

/// Leaves one copy of each message to an act that takes messages out of all mailboxes, where mailboxes are labels.
///
/// The server takes the message out of the others itself, and the next sync removes their files. Were those moved too, they would
/// be further files of one message in a mailbox that can hold it once.
struct LabelledCopies {
  private var places: [String: SyncedPlaces?] = [:]

  /// Drops the files whose message the server takes along with that of another one.
  mutating func leaveOne(of target: inout Target) throws(Explanation) {
    guard target.files.count > 1 else { return }
    var taken: Set<String> = []
    var left: [TargetFile] = []
    for file in target.files {
      let isLabel = try isSynced(file)
      if isLabel, !taken.insert(file.account.name).inserted { continue }
      left.append(file)
    }
    target.files = left
  }

  /// Whether the account's mailboxes are labels, and the server has the message of the file under that of its folder.
  private mutating func isSynced(_ file: TargetFile) throws(Explanation) -> Bool {
    guard let places = try places(of: file.account) else { return false }
    return try explaining(.noInput, place: file.account.name) { () throws(SystemError) in
      try places.place(of: file.file.name.base, in: file.folder) == file.folder
    }
  }

  /// Nil where mailboxes are no labels.
  private mutating func places(of account: Account) throws(Explanation) -> SyncedPlaces? {
    if let known = places[account.name] { return known }
    let store = StateStore(root: account.maildir, layout: account.layout)
    let summary = try explaining(.noInput, place: account.name) { () throws(SystemError) in
      try store.loadSummary()
    }
    let found = summary?.hasLabels == true ? SyncedPlaces(account) : nil
    places[account.name] = .some(found)
    return found
  }
}
