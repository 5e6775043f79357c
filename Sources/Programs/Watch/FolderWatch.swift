internal import Configuration
internal import Glibc
internal import Login
internal import Maildir
internal import Octets
internal import Platform
internal import SyncState
internal import WatchPlan

/// Watches the folders of one account, its queue, and what is kept of its login, for changes by other programs.
///
/// Used by one thread at a time.
final class FolderWatch {
  /// Where a watched directory lies.
  private enum Place {
    /// The nearest directory above what is not there yet, and the names in it that lead to that.
    case above(Set<[UInt8]>)
    /// A directory in which folders lie, or a folder itself; as a path below the root.
    case parent([UInt8])
    case files(folder: [UInt8], Subdirectory)
    case queue
    /// The account's directory in the state home, where logins and refusals of them are kept.
    case memory
  }

  private let tree: FolderTree
  private let queues: [Path]
  private let memory: Path
  private let inbox: Inbox
  private let watch: DirectoryWatch?
  private var places: [DirectoryWatch.ID: Place] = [:]
  private var root: DirectoryWatch.ID?
  private var isRootThere = false
  private var queuesThere: Set<Path> = []
  /// Whether the watch of the root ended, as where a disk went that may be mounted again by now.
  private var hasLostRoot = false
  private var isComplete = true
  /// The fingerprints of the folders where they cannot all be watched.
  private var fingerprints: [[UInt8]: MaildirFingerprints?] = [:]

  /// A watch of the folders of a tree, of the directories of queues, which need not be there yet, and of the account's directory
  /// in the state home.
  init(_ tree: FolderTree, queues: [Path], memory: Path, _ inbox: Inbox) {
    self.tree = tree
    self.queues = queues
    self.memory = memory
    self.inbox = inbox
    watch = try? DirectoryWatch()
    _ = addAll()
  }

  /// A descriptor that is readable when something happened; -1 where nothing can be watched.
  var descriptor: Int32 { watch?.descriptor ?? -1 }

  /// Whether changes in all folders are told; if not, they have to be looked for by `look`.
  var tellsAll: Bool { watch != nil && isComplete }

  /// Finds the folders that exist now.
  ///
  /// Reports a root that appeared or is another directory than before, and a queue that appeared: its content was put there
  /// before it was watched.
  func update() {
    let (before, former) = (root, queuesThere)
    if addAll() {
      inbox.put(.directory([]))
    } else if root != before && root != nil || !queuesThere.isSubset(of: former) {
      inbox.put(.news(.localChange))
    }
  }

  /// Looks once more for the root where its watch ended: no event tells of a disk that is mounted in its place.
  func recheckRoot() {
    guard hasLostRoot else { return }
    hasLostRoot = false
    update()
  }

  /// Watches what there is by now, and nothing else; gives whether the root came.
  private func addAll() -> Bool {
    isComplete = true
    let before = places
    places = [:]
    let hasRootCome = addRoot()
    var isListed = true
    var count = 0
    // What came into a directory before that was watched is found when it is listed again.
    repeat {
      count = places.count
      isListed = addFolders()
    } while places.count > count
    queuesThere = Set(queues.filter { addNearest($0, .queue).isThere })
    addNearest(memory, .memory)
    for (id, place) in before where places[id] == nil {
      // One that has another name now would be reported under the old one.
      if isListed { watch?.remove(id) } else { places[id] = place }
    }
    return hasRootCome
  }

  /// Gives whether the root was missing and is there.
  private func addRoot() -> Bool {
    let wasThere = isRootThere
    (root, isRootThere) = addNearest(tree.root, .parent([]))
    return isRootThere && !wasThere
  }

  /// Watches a directory; before it is there, the nearest one above it, which tells when it comes.
  @discardableResult
  private func addNearest(_ path: Path, _ place: Place) -> (id: DirectoryWatch.ID?, isThere: Bool) {
    var (nearest, next) = (path, path)
    while nearest != nearest.parent, !Self.isThere(nearest) {
      (nearest, next) = (nearest.parent, nearest)
    }
    guard nearest != path else { return (add(path, place), true) }
    add(nearest, .above([next.lastComponent]))
    // It may have come before the watch of what is above it.
    return Self.isThere(next) ? addNearest(path, place) : (nil, false)
  }

  private static func isThere(_ path: Path) -> Bool {
    (try? FileSystem.status(path)) ?? nil != nil
  }

  /// Gives whether the folders could be listed.
  private func addFolders() -> Bool {
    guard let listing = try? tree.maildirs(passingOverUnreadable: true) else { return false }
    for directory in listing.visited {
      add(tree.path(of: directory.relative), .parent(directory.relative))
    }
    for folder in listing.maildirs {
      for part in [Subdirectory.new, .cur] {
        add(part.path(in: tree.path(of: folder)), .files(folder: folder, part))
      }
    }
    return true
  }

  @discardableResult
  private func add(_ path: Path, _ place: Place) -> DirectoryWatch.ID? {
    guard let watch else { return nil }
    do throws(SystemError) {
      let id = try watch.add(path)
      switch (places[id], place) {
      case (.above(let names)?, .above(let more)): places[id] = .above(names.union(more))
      case (_?, .above): break
      default: places[id] = place
      }
      return id
    } catch {
      // What may not be read no sync can read either, which says so.
      if [ENOSPC, ENOMEM].contains(error.code) { isComplete = false }
      return nil
    }
  }

  /// What happened that needs more than to be told of a file.
  private struct Need {
    /// There may be other directories to watch.
    var update = false
    /// All has to be looked at.
    var look = false
  }

  /// Tells what happened since the last call.
  func read() {
    guard let watch else { return }
    var need = Need()
    for event in watch.read() {
      switch event {
      case .appeared(let id, let name, let isDirectory):
        handleEntry(id, name, isDirectory: isDirectory, isThere: true, &need)
      case .vanished(let id, let name, let isDirectory):
        handleEntry(id, name, isDirectory: isDirectory, isThere: false, &need)
      case .ended(let id):
        guard places.removeValue(forKey: id) != nil else { continue }
        if id == root { hasLostRoot = true }
        // One that has another name now would be watched for ever.
        watch.remove(id)
        need = Need(update: true, look: true)
      case .overflow: need = Need(update: true, look: true)
      }
    }
    if need.update { update() }
    if need.look { inbox.put(.news(.localChange)) }
  }

  /// Reports a file or a directory that came or went; records in `need` what that is not enough for.
  private func handleEntry(
    _ id: DirectoryWatch.ID,
    _ name: [UInt8],
    isDirectory: Bool,
    isThere: Bool,
    _ need: inout Need
  ) {
    switch places[id] {
    case .files(let folder, let subdirectory):
      guard !isDirectory, name.first != ASCII.dot else { return }
      let mark = FileMark(
        folder: folder,
        subdirectory: subdirectory,
        name: name,
        isThere: isThere
      )
      inbox.put(.file(mark))
    case .queue: need.look = need.look || isThere
    case .above(let names):
      need.update = need.update || names.contains(name)
    case .memory:
      if name == (isThere ? Self.login : Self.refusal) { inbox.put(.news(.newLogin)) }
    case .parent(let relative):
      let path = relative.isEmpty ? name : relative + [ASCII.slash] + name
      guard isDirectory || isThere && leadsToDirectory(path) else {
        return need.look = need.look || name == Self.tags && isThere
      }
      guard !Self.own.contains(name) else { return }
      need.update = true
      guard isThere else { return need.look = true }
      inbox.put(.directory(path))
    case nil: break
    }
  }

  /// Whether a name that is none of a directory leads to one, by a link.
  private func leadsToDirectory(_ relative: [UInt8]) -> Bool {
    (try? FileSystem.status(tree.path(of: relative)))?.kind == .directory
  }

  private static let own = [Array(".magnum".utf8), Array("_magnum".utf8)]
  private static let tags = Array(".magnum-tags".utf8)
  private static let login = OAuthSettings.grantFileName
  private static let refusal = RefusalMemory.fileName

  /// Looks for changes in all folders, and tells of them.
  func look() {
    guard let folders = try? tree.maildirs(passingOverUnreadable: true).maildirs else { return }
    var found: [[UInt8]: MaildirFingerprints?] = [:]
    for folder in folders { found[folder] = MaildirFingerprints(of: tree.path(of: folder)) }
    defer { fingerprints = found }
    if !fingerprints.isEmpty, found != fingerprints { inbox.put(.news(.localChange)) }
  }
}
