import Glibc

/// A file system of its own with little room, mounted on a directory; its files are in memory, and go with the value.
package final class SmallDisk: Sendable {
  /// Whether there can be one: only root may mount file systems, and not everywhere.
  package static let canBe: Bool = {
    guard getuid() == 0, let folder = try? TempDirectory() else { return false }
    let script = "mount -t tmpfs -o size=64k tmpfs \"$1\" && umount \"$1\""
    return (try? Command.shell(script, [folder.path])) != nil
  }()

  private let directory: String

  /// Mounts one of a size such as "64m" on a directory, which is made.
  ///
  /// - Throws: `HarnessError` when it cannot be mounted.
  package init(at directory: String, _ size: String) throws {
    self.directory = directory
    try Files.makeDirectories(directory)
    try Command.shell("mount -t tmpfs -o size=\"$2\" tmpfs \"$1\"", [directory, size])
  }

  deinit { _ = try? Command.shell("umount -l \"$1\"", [directory]) }

  /// Gives it another size.
  ///
  /// - Throws: `HarnessError` when it cannot have that.
  package func resize(_ size: String) throws {
    try Command.shell("mount -o remount,size=\"$2\" \"$1\"", [directory, size])
  }
}
