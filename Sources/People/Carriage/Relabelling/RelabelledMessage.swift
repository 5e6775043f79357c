internal import Maildir
internal import MailModel
internal import MessageContent
internal import Octets
internal import RestorePlan
internal import SyncPlan

/// A message of a former Maildir, with all files of it.
struct RelabelledMessage {
  /// A file.
  struct Copy {
    /// Its folder, by the folder's place among all.
    let folder: Int
    let file: ScannedFile
    /// What would show that it was written anew.
    let version: FileVersion
    /// When the message arrived, in seconds since 1970.
    let date: Int64
    /// Whether the server had it in the folder's mailbox after the last sync, as far as is known.
    let isRecorded: Bool
    let isDraft: Bool
  }

  /// What it is equal by.
  let key: CopyKey
  /// Octets on the wire.
  let size: UInt64
  private(set) var copies: [Copy] = []
  /// Those of all files; the mark of deletion only where all have it.
  private(set) var flags: SystemFlags
  /// Whether its files have different flags.
  private(set) var flagsDiffer = false
  /// What people did to its tags, and the server does not know.
  var changes = TagFile.Tags()
  /// The tags that both sides agreed on.
  private(set) var agreed: [[UInt8]] = []

  init(_ key: CopyKey, size: UInt64, flags: SystemFlags) {
    (self.key, self.size, self.flags) = (key, size, flags)
  }

  mutating func add(
    _ copy: Copy,
    _ flags: SystemFlags,
    _ changes: TagFile.Tags,
    agreed: [[UInt8]]
  ) {
    if flags != self.flags { flagsDiffer = true }
    let isDeleted = flags.contains(.deleted) && self.flags.contains(.deleted)
    self.flags.formUnion(flags)
    if !isDeleted { self.flags.remove(.deleted) }
    self.changes.add(changes)
    self.agreed += agreed.filter { tag in !self.agreed.contains { $0.equalsCaseless(tag) } }
    copies.append(copy)
  }

  /// Whether no server ever had it, as far as is known.
  var isNew: Bool {
    !copies.contains {
      $0.isRecorded || DetachedName.isOne($0.file.name.base)
        || MessageKey(baseName: $0.file.name.base) != nil
    }
  }

  /// The file that stands for it: one whose name tells where it was fetched, if there is any, and none that the server lost.
  var best: Copy? {
    copies.max { Self.rank($0) < Self.rank($1) }
  }

  private static func rank(_ copy: Copy) -> Int {
    let base = copy.file.name.base
    if DetachedName.isOne(base) { return 0 }
    return (copy.isRecorded ? 2 : 1) + (MessageKey(baseName: base) != nil ? 2 : 0)
  }
}
