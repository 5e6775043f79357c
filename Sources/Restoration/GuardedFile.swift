internal import Glibc
internal import Platform

/// Files of a Maildir that another user may have filled: neither links nor pipes are opened.
enum GuardedFile {
  /// The error of what is a symbolic link, and that of what is no regular file.
  static let (linkCode, otherCode) = (ELOOP, ENXIO)

  /// Opens a regular file to be read.
  ///
  /// - Throws: ELOOP for a symbolic link, ENXIO for what is no regular file, else the error of open(2).
  static func open(_ path: Path) throws(SystemError) -> Descriptor {
    let file = try Descriptor.open(path, OpenMode.read.guarded)
    guard try file.status().kind == .regular else {
      throw SystemError(operation: "open", path: path, code: otherCode)
    }
    return file
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
