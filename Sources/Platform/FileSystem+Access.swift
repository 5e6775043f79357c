internal import Glibc

extension FileSystem {
  /// Whether the user may write to a file or directory, and its file system takes writes (access(2)).
  ///
  /// Only a hint: by the time of the write it may be otherwise.
  package static func isWritable(_ path: Path) -> Bool {
    path.withCString { access($0, W_OK) } == 0
  }
}
