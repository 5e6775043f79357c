internal import MailStore
internal import Maildir
internal import Platform
internal import SyncState

/// The files of all accounts' Maildirs whose names say that they are messages of another mailbox than that in whose Maildir
/// they lie: read once in a run, and only where they are asked for.
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
  private let foundLeftOut = Monitor<[File]?>(nil)

  /// All of them as they were when they were first asked for: those in `tree`, and in what can be read of the other trees.
  ///
  /// - Throws: the error of reading a directory of `tree`.
  func files(in tree: FolderTree, _ trees: [FolderTree]) throws(SyncFailure) -> [File] {
    if let known = found.withLock({ $0 }) { return known }
    let own = try attempt { () throws(SystemError) in try Self.read(tree) }
    let files = own + trees.filter { $0 != tree }.flatMap { (try? Self.read($0)) ?? [] }
    found.withLock { $0 = files }
    return files
  }

  /// Those in the Maildirs that the run leaves out and that changed, which `maildirs` finds; in what can be read of them.
  ///
  /// - Throws: what `maildirs` throws.
  func filesLeftOut(
    in maildirs: () throws(SyncFailure) -> [Path]
  ) throws(SyncFailure) -> [File] {
    if let known = foundLeftOut.withLock({ $0 }) { return known }
    let files = try maildirs().flatMap { (try? Self.files(in: $0)) ?? [] }
    foundLeftOut.withLock { $0 = files }
    return files
  }

  private static func read(_ tree: FolderTree) throws(SystemError) -> [File] {
    var files: [File] = []
    for relative in try tree.maildirs().maildirs {
      files += try Self.files(in: tree.path(of: relative))
    }
    return files
  }

  /// Those in one Maildir.
  private static func files(in maildir: Path) throws(SystemError) -> [File] {
    let owner = try OwnershipMarker(maildir).readableOwner()
    let names = try MaildirScan.scanIfPresent(maildir)?.files.bases ?? []
    return names.compactMap { name in
      guard !DetachedName.isOne(name), let key = MessageKey(baseName: name), key.mailbox != owner
      else { return nil }
      return File(key: key, name: name, directory: maildir)
    }
  }
}
