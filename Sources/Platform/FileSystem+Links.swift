internal import Glibc

extension FileSystem {
  /// Makes a symbolic link.
  ///
  /// - Throws: EEXIST where the name is taken; the error of symlink(2).
  package static func symbolicLink(_ path: Path, to target: Path) throws(SystemError) {
    try SystemCall.change("symlink", from: target, to: path) { symlink($0, $1) }
  }

  /// The absolute path of a file, without links and dots in it.
  ///
  /// - Returns: the path that realpath(3) gives.
  /// - Throws: the error of realpath(3).
  package static func realPath(_ path: Path) throws(SystemError) -> Path {
    guard let real = path.withCString({ realpath($0, nil) }) else {
      throw SystemError(operation: "realpath", path: path, code: errno)
    }
    defer { free(real) }
    return Path(Array(UnsafeRawBufferPointer(start: real, count: strlen(real))))
  }
}
