internal import Glibc

/// What a file is opened for.
///
/// Files made on the way get mode 0600 unless another is given. No descriptor is passed on to child processes.
package struct OpenMode: Hashable, Sendable {
  let flags: Int32
  let permissions: UInt32

  /// Reading.
  package static let read = OpenMode(flags: O_RDONLY, permissions: 0)

  /// A directory, to be read or synchronised.
  package static let directory = OpenMode(flags: O_RDONLY | O_DIRECTORY, permissions: 0)

  /// Writing at the end; made if it is not there.
  package static let append = OpenMode(flags: O_WRONLY | O_CREAT | O_APPEND, permissions: 0o600)

  /// Writing from the start after emptying it; made if it is not there.
  package static let truncate = OpenMode(flags: O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o600)

  /// Reading and writing; made if it is not there.
  package static let readWrite = OpenMode(flags: O_RDWR | O_CREAT, permissions: 0o600)

  /// Reading and writing a file that is there.
  package static let update = OpenMode(flags: O_RDWR, permissions: 0)

  /// Reading and writing a new file; fails with EEXIST where the name is taken, even by a dangling link.
  package static func createExclusive(_ mode: UInt32 = 0o600) -> OpenMode {
    OpenMode(flags: O_RDWR | O_CREAT | O_EXCL, permissions: mode)
  }

  /// The same where a pipe may be in the place of the file: opening it does not wait (ENXIO, or an open pipe).
  package var unblocked: OpenMode {
    OpenMode(flags: flags | O_NONBLOCK, permissions: permissions)
  }

  /// The same for places where another user may have put something in place of the file: moreover a symbolic link is not
  /// followed (ELOOP).
  package var guarded: OpenMode {
    OpenMode(flags: unblocked.flags | O_NOFOLLOW, permissions: permissions)
  }

  /// Whether opening may change the disk.
  var isChanging: Bool { flags & (O_CREAT | O_TRUNC) != 0 }
}
