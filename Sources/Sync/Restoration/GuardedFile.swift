internal import Platform

/// Files of a Maildir that another user may have filled: neither links nor pipes are opened.
enum GuardedFile {
  /// Opens a regular file to be read.
  ///
  /// - Throws: ``SystemError/isNotAFile`` for a symbolic link and what else is no regular file, else the error of open(2).
  static func open(_ path: Path) throws(SystemError) -> Descriptor {
    try Descriptor.open(path, .read.guarded)
  }

  /// The whole content of a regular file; nil where there is none.
  ///
  /// - Throws: the error of opening it, as ``open(_:)`` does, or of reading it.
  static func contents(_ path: Path, limit: Int) throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      return try FileSystem.contents(of: try open(path), limit: limit)
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }
}
