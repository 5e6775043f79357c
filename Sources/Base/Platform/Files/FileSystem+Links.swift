internal import CPlatform
internal import Glibc

extension FileSystem {
  /// Makes a symbolic link.
  ///
  /// - Throws: EEXIST where the name is taken; the error of symlink(2).
  package static func symbolicLink(_ path: Path, to target: Path) throws(SystemError) {
    try SystemCall.change("symlink", from: target, to: path) { symlink($0, $1) }
  }

  /// What a symbolic link says; nil where it cannot be read, or is none.
  static func linkTarget(_ path: Path) -> Path? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = path.withCString { readlink($0, &buffer, buffer.count) }
    guard length > 0 else { return nil }
    return Path(validating: buffer.prefix(length).map { UInt8(bitPattern: $0) })
  }

  /// The place, and each that symbolic links lead to from there, in their order; 40 at most, as the system follows.
  package static func links(from place: Path) -> [Path] {
    var places = [place]
    while places.count <= 40, let place = places.last, let target = linkTarget(place) {
      places.append(target.isAbsolute ? target : place.parent.appending(target.octets))
    }
    return places
  }

  /// Whether further users or groups are named in a list of who may do what with a file (acl(5)); false where that cannot be
  /// known.
  static func hasAccessList(_ path: Path) -> Bool {
    path.withCString { magnum_has_access_list($0) }
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
