package import Platform

/// Remembers when a sync of an account last ended well: the time of an empty file in the state home.
package struct LastSync {
  package let file: Path

  /// The memory of an account; `memory` is its directory in the state home.
  package init(_ memory: Path) {
    file = memory.appending("synced")
  }

  /// Remembers this moment; not durable, since nothing depends on it.
  package func recordSync() throws(SystemError) {
    if try FileSystem.status(file) == nil {
      try FileSystem.makeDirectories(file.parent)
      _ = try Descriptor.open(file, .append)
    }
    try FileSystem.setTimes(file, Clock.now())
  }
}
