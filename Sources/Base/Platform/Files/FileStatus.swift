internal import Glibc

/// What the system knows about a file besides its content.
package struct FileStatus: Hashable, Sendable {
  /// What sort of file it is.
  package let kind: EntryKind

  /// The length in octets.
  package let size: Int64

  /// The permission bits, at most 0o7777.
  package let mode: UInt32

  /// The number of the user who owns it.
  package let owner: UInt32

  /// The number of the group that it belongs to.
  package let group: UInt32

  /// The number of names that it has.
  package let links: UInt64

  /// Its identity and times.
  package let fingerprint: FileFingerprint

  /// Whether others than its owner may write, and to a directory so that they may also take away what is not theirs.
  package var isOpenToOthers: Bool {
    mode & 0o022 != 0 && !(kind == .directory && mode & 0o1000 != 0)
  }

  init(_ raw: stat) {
    kind = EntryKind(mode: raw.st_mode)
    size = Int64(raw.st_size)
    mode = UInt32(raw.st_mode) & 0o7777
    owner = UInt32(raw.st_uid)
    group = UInt32(raw.st_gid)
    links = UInt64(raw.st_nlink)
    fingerprint = FileFingerprint(
      device: UInt64(raw.st_dev),
      inode: UInt64(raw.st_ino),
      modified: Self.nanoseconds(raw.st_mtim),
      changed: Self.nanoseconds(raw.st_ctim)
    )
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
