internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan

/// Where the folders of mailboxes are while some of them are renamed, with others below them.
struct FolderPositions {
  private let tree: FolderTree
  /// The directory of each mailbox's folder.
  private(set) var places: [UInt64: [UInt8]] = [:]

  /// The folders as the records have them.
  init(_ context: FolderContext, _ known: some Collection<KnownMailbox>) {
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
  ///
  /// A directory that is no folder and only holds folders gives way: they go out of the way, and back once they can lie
  /// in the folder that has come.
  mutating func move(_ mailbox: UInt64, to target: [UInt8]) throws(SystemError) -> Bool {
    guard let source = places[mailbox], source != target else { return true }
    let held = try isLevel(target) ? outermost(below: target) : []
    for (other, place) in held {
      _ = try rename(other, to: FolderHalt.directory(for: other))
      removeLevels(above: place, upTo: target)
    }
    var isMoved = true
    if target.starts(with: source + [ASCII.slash]) {
      // No directory can go below itself: it stands elsewhere while the one above it is made.
      isMoved = try rename(mailbox, to: FolderHalt.directory(for: mailbox))
    }
    if isMoved { isMoved = try rename(mailbox, to: target) }
    for (other, place) in held where other != mailbox { _ = try rename(other, to: place) }
    return isMoved
  }

  /// Whether a directory stands there that is no folder, nor was one.
  private func isLevel(_ directory: [UInt8]) throws(SystemError) -> Bool {
    let path = tree.path(of: directory)
    guard try FileSystem.status(path) != nil else { return false }
    for subdirectory in Subdirectory.allCases
    where try FileSystem.status(subdirectory.path(in: path)) != nil { return false }
    return try OwnershipMarker(path).owner() == nil
  }

  /// The mailboxes whose folders lie below a directory, except for those that lie below another one of them.
  private func outermost(below directory: [UInt8]) -> [(mailbox: UInt64, place: [UInt8])] {
    let below = places.filter { $0.value.starts(with: directory + [ASCII.slash]) }
    return below.filter { _, place in
      !below.values.contains { place.starts(with: $0 + [ASCII.slash]) }
    }.map { ($0.key, $0.value) }
  }

  /// Removes the directories above a folder that went; one that holds something else stays, and so do those above it.
  private func removeLevels(above place: [UInt8], upTo top: [UInt8]) {
    var level = place
    while level.count > top.count, let slash = level.lastIndex(of: ASCII.slash) {
      level = Array(level[..<slash])
      try? FileSystem.removeDirectory(tree.path(of: level))
    }
  }

  private mutating func rename(
    _ mailbox: UInt64,
    to target: [UInt8]
  ) throws(SystemError) -> Bool {
    guard let source = places[mailbox], source != target else { return true }
    let move = FolderMove(tree.path(of: source), tree.path(of: target))
    guard try move.renameFolder(markedAs: mailbox) else { return false }
    let below = source + [ASCII.slash]
    for (other, place) in places where place.starts(with: below) {
      places[other] = target + place.dropFirst(source.count)
    }
    places[mailbox] = target
    return true
  }

  /// Takes folders out of the way that lie below some mailboxes' folders, and are not to go along with them.
  ///
  /// A run that is killed leaves them there, and the next one takes them back. Elsewhere they would look as if a person had
  /// moved them.
  mutating func setAside(
    _ staying: Set<UInt64>,
    below renamed: [UInt64]
  ) throws(SystemError) {
    let levels = renamed.compactMap { places[$0].map { $0 + [ASCII.slash] } }
    for mailbox in staying.sorted() {
      guard let place = places[mailbox], levels.contains(where: { place.starts(with: $0) }),
        // Without its marker it would count as removed.
        try OwnershipMarker(tree.path(of: place)).owner() == mailbox
      else { continue }
      _ = try rename(mailbox, to: FolderHalt.directory(for: mailbox))
    }
  }

  /// Takes folders to where they are to be in the end; those that went along with others are elsewhere by now.
  mutating func restore(_ goals: [UInt64: [UInt8]]) throws(SystemError) {
    for (mailbox, directory) in goals.sorted(by: { $0.value.count < $1.value.count }) {
      _ = try move(mailbox, to: directory)
    }
  }
}

/// Renames the folder of a mailbox, with all that is in it.
struct FolderMove {
  private let source: Path
  private let target: Path

  init(_ source: Path, _ target: Path) {
    self.source = source
    self.target = target
  }

  /// Renames; durable when it returns true, which it also does where the folder stands in its new place already.
  ///
  /// False where something else stands there.
  func renameFolder(markedAs owner: UInt64) throws(SystemError) -> Bool {
    if try FileSystem.status(target) != nil {
      return try OwnershipMarker(target).owner() == owner
    }
    guard try FileSystem.status(source) != nil else { return false }
    try FileSystem.makeDirectories(target.parent)
    try FileSystem.renameWithoutReplacing(source, to: target)
    try FileSystem.synchroniseDirectory(target.parent)
    try FileSystem.synchroniseDirectory(source.parent)
    return true
  }
}
