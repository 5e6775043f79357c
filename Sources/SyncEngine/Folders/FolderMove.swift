internal import Maildir
internal import Octets
internal import Platform

/// Renames the folder of a mailbox, with all that is in it.
struct FolderMove {
  private static let haltPrefix = Array(".magnum-moving-".utf8)

  private let source: Path
  private let target: Path

  init(_ source: Path, _ target: Path) {
    self.source = source
    self.target = target
  }

  /// Where a folder stands while others change places with it, relative to the root.
  static func halt(for mailbox: UInt64) -> [UInt8] {
    haltPrefix + Hex.digits(mailbox)
  }

  /// Whether a directory is such a place.
  static func isHalt(_ directory: [UInt8]) -> Bool {
    directory.starts(with: haltPrefix)
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
