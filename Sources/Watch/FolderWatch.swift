internal import Glibc
internal import Maildir
internal import Octets
internal import Platform
internal import SyncState
internal import WatchPlan

/// Watches the folders of one account, and its queue, for changes by other programs.
///
/// Used by one thread at a time.
final class FolderWatch {
  /// Where a watched directory lies.
  private enum Place {
    /// A directory in which folders lie, or a folder itself.
    case parent
    case files(folder: [UInt8], Subdirectory)
    case queue
  }

  private let tree: FolderTree
  private let queues: [Path]
  private let inbox: Inbox
  private let watch: DirectoryWatch?
  private var places: [DirectoryWatch.ID: Place] = [:]
  private var isComplete = true
  /// The fingerprints of the folders where they cannot all be watched.
  private var fingerprints: [[UInt8]: MaildirFingerprints?] = [:]

  /// A watch of the folders of a tree, and of the directories of queues, which need not be there yet.
  init(_ tree: FolderTree, queues: [Path], _ inbox: Inbox) {
    self.tree = tree
    self.queues = queues
    self.inbox = inbox
    watch = try? DirectoryWatch()
    update()
  }

  /// A descriptor that is readable when something happened; -1 where nothing can be watched.
  var descriptor: Int32 { watch?.descriptor ?? -1 }

  /// Whether changes in all folders are told; if not, they have to be looked for by `look`.
  var tellsAll: Bool { watch != nil && isComplete }

  /// Takes in which folders there are by now.
  func update() {
    isComplete = true
    addRoot()
    var seen = places.count
    // What came into a directory before that was watched is found when it is listed again.
    repeat {
      seen = places.count
      addFolders()
    } while places.count > seen
    for queue in queues {
      add(queue, .queue)
      // Nothing of it is there before the first message.
      for parent in [queue.parent, queue.parent.parent] { add(parent, .parent) }
    }
  }

  /// Before the first sync nothing of it is there: then the nearest directory above it tells when it comes.
  private func addRoot() {
    var path = tree.root
    while path != path.parent, (try? FileSystem.status(path)) ?? nil == nil { path = path.parent }
    add(path, .parent)
  }

  private func addFolders() {
    guard let listing = try? tree.maildirs(passingOverUnreadable: true) else { return }
    for directory in listing.visited { add(tree.path(of: directory.relative), .parent) }
    for folder in listing.maildirs {
      for part in [Subdirectory.new, .cur] {
        add(part.path(in: tree.path(of: folder)), .files(folder: folder, part))
      }
    }
  }

  private func add(_ path: Path, _ place: Place) {
    guard let watch else { return }
    do throws(SystemError) {
      places[try watch.add(path)] = place
    } catch {
      if !error.isNotFound, error.code != ENOTDIR { isComplete = false }
    }
  }

  /// Tells what happened since the last call.
  func read() {
    guard let watch else { return }
    var isOther = false
    for event in watch.read() {
      switch event {
      case .appeared(let id, let name, let isDirectory):
        isOther = take(id, name, isDirectory: isDirectory, isThere: true) || isOther
      case .vanished(let id, let name, let isDirectory):
        isOther = take(id, name, isDirectory: isDirectory, isThere: false) || isOther
      case .ended(let id):
        if places.removeValue(forKey: id) != nil { isOther = true }
      case .overflow: isOther = true
      }
    }
    guard isOther else { return }
    update()
    inbox.put(.news(.localChange))
  }

  /// Tells of a file; gives whether it is something else, because of which all has to be looked at.
  private func take(
    _ id: DirectoryWatch.ID,
    _ name: [UInt8],
    isDirectory: Bool,
    isThere: Bool
  ) -> Bool {
    switch places[id] {
    case .files(let folder, let subdirectory):
      guard !isDirectory, name.first != ASCII.dot else { return false }
      let mark = FileMark(
        folder: folder,
        subdirectory: subdirectory,
        name: name,
        isThere: isThere
      )
      inbox.put(.file(mark))
      return false
    case .queue:
      if isThere { inbox.put(.news(.localChange)) }
      return false
    case .parent: return isDirectory ? !Self.own.contains(name) : name == Self.tags && isThere
    case nil: return false
    }
  }

  private static let own = [Array(".magnum".utf8), Array("_magnum".utf8)]
  private static let tags = Array(".magnum-tags".utf8)

  /// Looks for changes in all folders, and tells of them.
  func look() {
    guard let folders = try? tree.maildirs(passingOverUnreadable: true).maildirs else { return }
    var found: [[UInt8]: MaildirFingerprints?] = [:]
    for folder in folders { found[folder] = MaildirFingerprints(of: tree.path(of: folder)) }
    defer { fingerprints = found }
    if !fingerprints.isEmpty, found != fingerprints { inbox.put(.news(.localChange)) }
  }
}
