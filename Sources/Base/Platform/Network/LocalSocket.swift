internal import CPlatform
internal import Glibc

/// Connections between programs of one user on one machine, by a socket that has a name in a directory.
package enum LocalSocket {
  /// Listens; a socket of that name without a listener is replaced.
  ///
  /// - Returns: a descriptor that is readable when a client connects, for ``accept(_:)``.
  /// - Throws: the error of bind(2) or listen(2).
  package static func listen(at path: Path) throws(SystemError) -> Descriptor {
    try open("bind", path, magnum_listen_locally)
  }

  /// Connects; no call on the connection waits longer than five seconds.
  ///
  /// - Throws: the error of connect(2), as where there is no listener.
  package static func connect(to path: Path) throws(SystemError) -> Descriptor {
    try open("connect", path, magnum_connect_locally)
  }

  /// Takes the next connection, without waiting; no call on it waits longer than five seconds.
  ///
  /// - Returns: nil where there is none, or where it is another user's, who is sent away.
  package static func accept(_ listener: borrowing Descriptor) -> Descriptor? {
    let raw = magnum_accept_locally(listener.raw)
    return raw < 0 ? nil : Descriptor(adopting: raw)
  }

  private static func open(
    _ operation: StaticString,
    _ path: Path,
    _ call: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) throws(SystemError) -> Descriptor {
    let raw = path.parent.withCString { directory in
      Path(path.lastComponent).withCString { name in call(directory, name) }
    }
    guard raw >= 0 else { throw SystemCall.failure(operation, path) }
    return Descriptor(adopting: raw, path: path)
  }
}
