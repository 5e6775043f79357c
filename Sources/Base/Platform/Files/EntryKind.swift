internal import Glibc

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
