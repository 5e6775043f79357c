internal import MailStore
internal import Maildir
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// What the keys in the names of one mailbox's files tell when its record does not.
struct NameEvidence {
  private let validity: UInt32
  /// Ids that the mailbox has and had: with a lost root number it is given a new one.
  private let own: Set<UInt64>
  private let trees: [FolderTree]
  /// Whether the folder is marked for a mailbox that holds nothing: one that was just made for it.
  ///
  /// Not where the server may have lost all of it, and what it lost is to be kept.
  private let isNew: Bool

  /// The keys of a mailbox under the UIDVALIDITY of `header`; `isEmpty` says that the server has no message in it.
  init(
    _ context: MailboxContext,
    _ mailbox: MirroredMailbox,
    _ header: MailboxHeader,
    isEmpty: Bool
  ) throws(SyncFailure) {
    let directory = context.path(of: mailbox)
    let marked = try attempt(OwnershipMarker(directory).owner())
    isNew = isEmpty && marked == header.id && !context.policy(of: mailbox).keepsFiles
    own = Set([header.id, marked].compactMap { $0 })
    validity = header.validity
    trees = context.trees
  }

  /// The UID that the name gives the file in this mailbox; nil where it gives none.
  func uid(in name: [UInt8]) -> UInt32? {
    guard let key = MessageKey(baseName: name), own.contains(key.mailbox), key.validity == validity
    else { return nil }
    return key.uid
  }

  /// Whether the file was pulled, as far as its name tells.
  ///
  /// One that bears the key of another mailbox that has a record was moved here, and that record knows it. Where
  /// the key is not known, the records of all went with the root's number, or the mailbox is no more and this one was made
  /// for its files.
  func wasSynced(_ name: [UInt8]) -> Bool {
    if DetachedName.isOne(name) { return true }
    guard let key = MessageKey(baseName: name) else { return false }
    return own.contains(key.mailbox)
      || SyncRule.keys.isOn && !isNew && !isRecorded(key.mailbox)
  }

  private func isRecorded(_ id: UInt64) -> Bool {
    trees.contains { tree in
      let store = StateStore(root: tree.root, layout: tree.layout)
      return ((try? FileSystem.status(store.file(id, "map"))) ?? nil) != nil
    }
  }
}
