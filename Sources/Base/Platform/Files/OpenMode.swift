internal import Glibc

/// What a file is opened for, and what may lie in its place.
///
/// Only a regular file is opened, unless the mode says otherwise: whatever another program or user has put under its name,
/// opening it neither waits nor reads a device. Files made on the way get mode 0600 unless another is given. No descriptor is
/// passed on to child processes.
package struct OpenMode: Hashable, Sendable {
  /// What may be opened.
  enum Kind: Hashable, Sendable {
    /// A regular file.
    case regular
    case directory
    /// Whatever the name leads to.
    case any
  }

  let flags: Int32
  let permissions: UInt32
  let kind: Kind

  private init(_ flags: Int32, _ permissions: UInt32, _ kind: Kind = .regular) {
    (self.flags, self.permissions, self.kind) = (flags, permissions, kind)
  }

  /// Reading.
  package static let read = OpenMode(O_RDONLY | O_NONBLOCK, 0)

  /// A directory, to be read or synchronised.
  package static let directory = OpenMode(O_RDONLY | O_DIRECTORY, 0, .directory)

  /// Writing at the end; made if it is not there.
  package static let append = OpenMode(O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0o600)

  /// Writing from the start after emptying it; made if it is not there.
  package static let truncate = OpenMode(O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, 0o600)

  /// Reading and writing; made if it is not there.
  package static let readWrite = OpenMode(O_RDWR | O_CREAT | O_NONBLOCK, 0o600)

  /// Reading and writing a file that is there.
  package static let update = OpenMode(O_RDWR | O_NONBLOCK, 0)

  /// Reading and writing a new file; fails with EEXIST where the name is taken, even by a dangling link.
  package static func createExclusive(_ mode: UInt32 = 0o600) -> OpenMode {
    OpenMode(O_RDWR | O_CREAT | O_EXCL, mode)
  }

  /// The same where the user may name a pipe, a terminal or a device in place of a file; a pipe is waited for.
  package var orPipe: OpenMode { OpenMode(flags & ~O_NONBLOCK, permissions, .any) }

  /// The same where a program may name a device, or a descriptor of its own, in place of a file: nothing is waited for.
  package var orDevice: OpenMode { OpenMode(flags, permissions, .any) }

  /// The same for places where another user may have put something in place of the file: moreover a symbolic link is not
  /// followed.
  package var guarded: OpenMode { OpenMode(flags | O_NOFOLLOW, permissions, kind) }

  /// Whether opening may change the disk.
  var isChanging: Bool { flags & (O_CREAT | O_TRUNC) != 0 }

  /// Whether opening makes a new file, which is a regular one.
  var isExclusive: Bool { flags & O_EXCL != 0 }

  /// Whether a link in the place of the file is refused.
  var isGuarded: Bool { flags & O_NOFOLLOW != 0 }
}
