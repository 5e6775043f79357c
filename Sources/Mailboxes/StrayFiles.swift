internal import MailStore
internal import Maildir
internal import Platform
internal import SyncState

/// The files of all accounts' Maildirs whose names say that they are messages of another mailbox than that in whose Maildir
/// they lie: read once in a run, and only where somebody asks.
final class StrayFiles: Sendable {
  /// One of them.
  struct File: Sendable {
    /// Which message the name says it is.
    let key: MessageKey
    /// The base name.
    let name: [UInt8]
    /// The Maildir in which it lies.
    let directory: Path
  }

  private let found = Monitor<[File]?>(nil)

  /// All of them as they were when they were first asked for.
  ///
  /// - Throws: the error of reading a directory.
  func files(in trees: [FolderTree]) throws(SyncFailure) -> [File] {
    if let known = found.withLock({ $0 }) { return known }
    let files = try attempt { () throws(SystemError) in try Self.read(trees) }
    found.withLock { $0 = files }
    return files
  }

  private static func read(_ trees: [FolderTree]) throws(SystemError) -> [File] {
    var files: [File] = []
    for tree in trees {
      for relative in try tree.maildirs().maildirs {
        let directory = tree.path(of: relative)
        let owner = try OwnershipMarker(directory).readableOwner()
        for name in try MaildirScan.scanIfPresent(directory)?.files.bases ?? [] {
          guard !DetachedName.isOne(name), let key = MessageKey(baseName: name),
            key.mailbox != owner
          else { continue }
          files.append(File(key: key, name: name, directory: directory))
        }
      }
    }
    return files
  }
}
