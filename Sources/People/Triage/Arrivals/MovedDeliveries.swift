internal import Configuration
internal import Correspondence
internal import MailModel
internal import Maildir
internal import Octets
internal import Platform
internal import Query
internal import SearchIndex

/// Tells files that programs moved to `new` under another name from those that were delivered there.
///
/// Mail readers do so with messages that are not read: for rules they did not arrive. The index, which does not know of the move
/// yet, has such a message in a file that is gone.
struct MovedDeliveries {
  /// A file in `new`.
  struct New {
    let arrival: Arrival
    let file: TargetFile
    /// In octets.
    let size: Int64
  }

  private let account: Account
  private let folders: AccountFolders
  private var names = FolderFiles()

  init(_ folders: AccountFolders) {
    (account, self.folders) = (folders.account, folders)
  }

  /// Those of new files that were moved; none where the index cannot be asked.
  mutating func moved(among files: [New]) throws(Explanation) -> Set<Arrival> {
    guard account.isIndexed, (try? IndexPlace.of(account.maildir))?.hasIndex == true else {
      return []
    }
    var ids: [Arrival: [UInt8]] = [:]
    for file in files { ids[file.arrival] = Target.id(of: file.file.path) }
    let sought = Set(ids.values.filter { !$0.isEmpty })
    guard !sought.isEmpty else { return [] }
    let query = Query.or(sought.sorted { $0.lexicographicallyPrecedes($1) }.map { .exact(.id, $0) })
    let asked = AskedQuery(query, .read, TargetRules())
    let found = try? AskedQuery.results(of: [asked], in: account).first?.messages
    let known = Dictionary(grouping: found ?? []) { $0.id }
    var moved: Set<Arrival> = []
    for file in files {
      let messages = known[ids[file.arrival] ?? [], default: []]
      for message in messages where Int64(clamping: message.size) == file.size {
        if try isMoved(message) { moved.insert(file.arrival) }
      }
    }
    return moved
  }

  /// Whether a file of a message is gone, where messages are that arrived.
  private mutating func isMoved(_ message: FoundMessage) throws(Explanation) -> Bool {
    for file in TargetFile.all(of: message, account) {
      switch try folders.role(of: file.folder) {
      case .sent, .drafts: continue
      default: if names.current(file) == nil { return true }
      }
    }
    return false
  }
}
