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

/// The sort of a file.
package enum EntryKind: Hashable, Sendable {
  /// An ordinary file.
  case regular

  case directory

  /// A symbolic link, itself.
  case symbolicLink

  /// A pipe, socket or device.
  case other

  init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .symbolicLink
    default: self = .other
    }
  }

  /// The kind that a directory entry names; nil where the file system leaves it out (DT_UNKNOWN).
  init?(entryType: UInt8) {
    switch Int(entryType) {
    case Int(DT_UNKNOWN): return nil
    case Int(DT_REG): self = .regular
    case Int(DT_DIR): self = .directory
    case Int(DT_LNK): self = .symbolicLink
    default: self = .other
    }
  }
}

/// What identifies a directory or file, and tells whether it has changed.
package struct FileFingerprint: Hashable, Sendable {
  /// The file system.
  package let device: UInt64

  /// The file within its file system.
  package let inode: UInt64

  /// When the content (of a directory: the set of its names) last changed, in nanoseconds since 1970.
  package let modified: Int64

  /// When content or attributes last changed, in nanoseconds since 1970.
  package let changed: Int64

  package init(device: UInt64, inode: UInt64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.modified = modified
    self.changed = changed
  }

  /// Whether a later change is sure to give another fingerprint.
  ///
  /// - Parameter now: the time when the fingerprint was taken, in nanoseconds since 1970.
  /// - Returns: false within two seconds of a change, since clocks of file systems are coarse and another change
  ///   may leave the same times; and for times in the future, which tell nothing at all.
  package func isReliable(now: Int64) -> Bool {
    max(modified, changed) <= now - TestTime.fingerprintAge(2_000_000_000)
  }
}

/// Permission bits of files with secrets: the rule and the way to show them.
package enum FileMode {
  /// The bits that let the group or others read, write or execute.
  package static let ofOthers: UInt32 = 0o077

  /// At least four octal digits, as chmod(1) takes them: `0644`.
  package static func text(_ mode: UInt32) -> String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
