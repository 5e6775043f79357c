internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan

/// Where the folders of mailboxes are while some of them are renamed, with others below them.
struct FolderTrack {
  private let tree: FolderTree
  private var places: [UInt64: [UInt8]] = [:]

  /// The folders as the records have them.
  init(_ context: AccountContext, _ known: some Collection<KnownMailbox>) {
    tree = context.tree
    for entry in known { places[entry.id] = entry.directory }
  }

  /// A mailbox's folder is elsewhere; nil where it has none.
  mutating func found(_ mailbox: UInt64, in directory: [UInt8]?) {
    places[mailbox] = directory
  }

  /// Whether a directory is another mailbox's folder.
  func isAnother(_ other: KnownMailbox, than entry: KnownMailbox, in directory: [UInt8]) -> Bool {
    other.id != entry.id && places[other.id] == directory
  }

  /// Renames the folder of a mailbox, if it has one; false where something else stands there.
  mutating func move(_ mailbox: UInt64, to target: [UInt8]) throws(SystemError) -> Bool {
    guard let source = places[mailbox], source != target else { return true }
    let move = FolderMove(tree.path(of: source), tree.path(of: target))
    guard try move.run(markedAs: mailbox) else { return false }
    let below = source + [ASCII.slash]
    for (other, place) in places where place.starts(with: below) {
      places[other] = target + place.dropFirst(source.count)
    }
    places[mailbox] = target
    return true
  }

  /// Takes folders back that went along with others, where their mailboxes were not renamed.
  mutating func restore(_ before: FolderTrack, but renamed: Set<UInt64>) throws(SystemError) {
    for (mailbox, directory) in before.places where !renamed.contains(mailbox) {
      _ = try move(mailbox, to: directory)
    }
  }
}
