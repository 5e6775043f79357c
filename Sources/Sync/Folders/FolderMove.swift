internal import Maildir
internal import Octets
internal import Platform

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
  func run(markedAs owner: UInt64) throws(SystemError) -> Bool {
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
