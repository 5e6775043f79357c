internal import MailModel
internal import Octets
internal import Platform

/// A walk over the directories of an account.
struct FolderSearch {
  let root: Path
  private let passesOverUnreadable: Bool
  private let followsLinks: Bool
  private(set) var links: [[UInt8]] = []
  private(set) var maildirs: [[UInt8]] = []
  private(set) var halves: [[UInt8]] = []
  private(set) var visited: [(relative: [UInt8], fingerprint: FileFingerprint)] = []

  private(set) var unreadable: [(relative: [UInt8], error: SystemError)] = []

  private var waiting: [[UInt8]] = [[]]
  /// The links to follow once all directories have been visited: a folder is known by its own name, if it lies below the
  /// root, and not by that of a link to it.
  private var waitingLinks: [[UInt8]] = []
  private var seen: Set<FileIdentity> = []

  init(root: Path, passesOverUnreadable: Bool, followsLinks: Bool) {
    self.root = root
    self.followsLinks = followsLinks
    self.passesOverUnreadable = passesOverUnreadable
  }

  mutating func findFolders() throws(SystemError) {
    while let relative = waiting.popLast() ?? takeLink() { try visit(relative) }
  }

  /// The first link by name: of several to one directory it is always the same that stands for it.
  private mutating func takeLink() -> [UInt8]? {
    let first = waitingLinks.indices.min {
      waitingLinks[$0].lexicographicallyPrecedes(waitingLinks[$1])
    }
    return first.map { waitingLinks.remove(at: $0) }
  }

  private static let ownState = [[UInt8](ascii: ".magnum"), [UInt8](ascii: "_magnum")]

  private mutating func visit(_ relative: [UInt8]) throws(SystemError) {
    var names: [[UInt8]] = []
    var links: [[UInt8]] = []
    var holdsFiles = false
    let fingerprint: FileFingerprint
    do {
      fingerprint = try FileSystem.entries(of: root.appending(relative)) { name, kind in
        if kind == .directory { names.append(Array(name)) }
        if kind == .symbolicLink { links.append(Array(name)) }
        if kind == .regular, name.first != ASCII.dot { holdsFiles = true }
      }
    } catch {
      // The root has to be there; what lies below may be removed since its parent was read.
      if relative.isEmpty { throw error }
      if error.isNotFound { return }
      guard passesOverUnreadable else { throw error }
      unreadable.append((relative, error))
      return
    }
    // However it is reached.
    guard seen.insert(FileIdentity(fingerprint)).inserted else { return }
    visited.append((relative, fingerprint))
    if holdsFiles, isHalf(relative) { halves.append(relative) }
    links = links.filter { isDirectory(join(relative, $0)) }
    if !followsLinks {
      self.links += links.map { join(relative, $0) }
      links = []
    }
    enter(names, links, in: relative)
  }

  /// Whether it is cur or new of what is no Maildir: those of one are not visited.
  private func isHalf(_ relative: [UInt8]) -> Bool {
    let name = relative.split(separator: ASCII.slash).last
    return [Subdirectory.cur, .new].contains { name?.elementsEqual($0.name) ?? false }
  }

  private mutating func enter(
    _ directories: [[UInt8]],
    _ links: [[UInt8]],
    in relative: [UInt8]
  ) {
    let names = directories + links
    let isMaildir =
      names.contains(Subdirectory.cur.name) && names.contains(Subdirectory.new.name)
    if isMaildir { maildirs.append(relative) }
    // Only in a Maildir are these what their names say: elsewhere folders may lie in them.
    let reserved = (isMaildir ? Subdirectory.allCases.map(\.name) : []) + Self.ownState
    waiting += directories.filter { !reserved.contains($0) }.map { join(relative, $0) }
    waitingLinks += links.filter { !reserved.contains($0) }.map { join(relative, $0) }
  }

  /// Whether a link leads to a directory; not where it goes in a circle, or through something that is none.
  private func isDirectory(_ relative: [UInt8]) -> Bool {
    let status = try? FileSystem.status(root.appending(relative))
    return status?.kind == .directory
  }

  private func join(_ relative: [UInt8], _ name: [UInt8]) -> [UInt8] {
    relative.isEmpty ? name : relative + [ASCII.slash] + name
  }
}
