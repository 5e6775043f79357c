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
  private(set) var visited: [(relative: [UInt8], fingerprint: FileFingerprint)] = []

  private(set) var unreadable: [(relative: [UInt8], error: SystemError)] = []

  private var waiting: [[UInt8]] = [[]]
  private var seen: Set<FileIdentity> = []

  init(root: Path, passesOverUnreadable: Bool, followsLinks: Bool) {
    self.root = root
    self.followsLinks = followsLinks
    self.passesOverUnreadable = passesOverUnreadable
  }

  mutating func run() throws(SystemError) {
    while let relative = waiting.popLast() { try visit(relative) }
  }

  private static let ownState = [[UInt8](ascii: ".magnum"), [UInt8](ascii: "_magnum")]

  private mutating func visit(_ relative: [UInt8]) throws(SystemError) {
    var names: [[UInt8]] = []
    var links: [[UInt8]] = []
    let fingerprint: FileFingerprint
    do {
      fingerprint = try FileSystem.entries(of: root.appending(relative)) { name, kind in
        if kind == .directory { names.append(Array(name)) }
        if kind == .symbolicLink { links.append(Array(name)) }
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
    for name in links where try isDirectory(join(relative, name)) {
      if followsLinks { names.append(name) } else { self.links.append(join(relative, name)) }
    }
    enter(names, in: relative)
  }

  private mutating func enter(_ names: [[UInt8]], in relative: [UInt8]) {
    let isMaildir =
      names.contains(Subdirectory.cur.name) && names.contains(Subdirectory.new.name)
    if isMaildir { maildirs.append(relative) }
    // Only in a Maildir are these what their names say: elsewhere folders may lie in them.
    let reserved = (isMaildir ? Subdirectory.allCases.map(\.name) : []) + Self.ownState
    for name in names where !reserved.contains(name) { waiting.append(join(relative, name)) }
  }

  private func isDirectory(_ relative: [UInt8]) throws(SystemError) -> Bool {
    do throws(SystemError) {
      return try FileSystem.status(root.appending(relative))?.kind == .directory
    } catch {
      // A link in a circle, or through something that is not a directory.
      return false
    }
  }

  private func join(_ relative: [UInt8], _ name: [UInt8]) -> [UInt8] {
    relative.isEmpty ? name : relative + [ASCII.slash] + name
  }
}
