internal import MailModel
package import Maildir
package import Platform
package import SyncPlan
internal import SyncState

/// Finds the Maildirs below an account's root, and what their marks say.
package struct FolderScan {
  private let tree: FolderTree
  private let trees: [FolderTree]
  private let known: [KnownMailbox]

  /// A scan of an account's root, one of the roots of all accounts, beside the mailboxes that are on record.
  package init(_ tree: FolderTree, among trees: [FolderTree], known: some Collection<KnownMailbox>)
  {
    self.tree = tree
    self.trees = trees
    self.known = Array(known)
  }

  /// All of them, sorted.
  ///
  /// - Parameters:
  ///   - lookingInside: whether the names of files are looked at in those without a marker.
  ///   - seekingOwn: whether they are in those that are marked for a mailbox that is not on record.
  /// - Returns: what was found.
  /// - Throws: the error of reading a directory or a marker.
  package func folders(
    lookingInside: Bool,
    seekingOwn: Bool = false
  ) throws(SystemError) -> [FoundFolder] {
    let recorded = Set(known.map(\.id))
    var found: [FoundFolder] = []
    for relative in try tree.maildirs().maildirs {
      let marker = OwnershipMarker(tree.path(of: relative))
      var folder = FoundFolder(directory: relative, owner: try marker.readableOwner())
      if let owner = folder.owner, !recorded.contains(owner), try isOtherAccounts(owner) {
        folder.owner = nil
        folder.isCopy = true
      }
      found.append(folder)
    }
    found = try FolderOwners(known).resolved(found) { directory throws(SystemError) in
      try traits(directory)
    }
    let here = recorded.union(found.compactMap(\.owner))
    for index in found.indices where found[index].owner == nil && !found[index].isCopy {
      let directory = tree.path(of: found[index].directory)
      found[index].isDetached = try isDetached(directory)
      if lookingInside { found[index].wasSynced = try wasSynced(directory, beside: here) }
    }
    for index in found.indices where seekingOwn {
      guard let owner = found[index].owner, !recorded.contains(owner) else { continue }
      found[index].holdsOwn = try holds(owner, tree.path(of: found[index].directory))
    }
    return found
  }

  /// Whether a file bears a key of the mailbox, and is not detached already.
  private func holds(_ mailbox: UInt64, _ directory: Path) throws(SystemError) -> Bool {
    try MaildirScan.scanIfPresent(directory)?.files.bases.contains { base in
      MessageKey(baseName: base)?.mailbox == mailbox && !DetachedName.isOne(base)
    } ?? false
  }

  /// Whether another account has a record of that id: the folder came from there.
  private func isOtherAccounts(_ id: UInt64) throws(SystemError) -> Bool {
    for other in trees where other != tree {
      let store = StateStore(root: other.root, layout: other.layout)
      if try FileSystem.status(store.file(id, "map")) != nil { return true }
    }
    return false
  }

  private func traits(_ relative: [UInt8]) throws(SystemError) -> FoundFolder.Traits {
    let directory = tree.path(of: relative)
    return FoundFolder.Traits(
      cur: try FileSystem.status(Subdirectory.cur.path(in: directory)).map {
        FileIdentity($0.fingerprint)
      },
      marked: try OwnershipMarker(directory).changed() ?? .max
    )
  }

  /// Whether the folder is marked so, and nothing else came into it since.
  private func isDetached(_ directory: Path) throws(SystemError) -> Bool {
    guard try OwnershipMarker(directory).isDetached() else { return false }
    return try MaildirScan.scan(directory).files.allSatisfy { DetachedName.isOne($0.name.base) }
  }

  /// Whether files were synced in this folder.
  ///
  /// One that bears the key of a mailbox whose folder is here, `others`, was moved or copied from there.
  private func wasSynced(
    _ directory: Path,
    beside others: Set<UInt64>
  ) throws(SystemError) -> Bool {
    try MaildirScan.scan(directory).files.contains { file in
      let base = file.name.base
      guard let key = MessageKey(baseName: base) else { return ForeignName(base).wasSynced }
      return !others.contains(key.mailbox)
    }
  }
}
