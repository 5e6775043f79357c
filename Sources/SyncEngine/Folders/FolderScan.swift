internal import Adoption
internal import MailModel
internal import Maildir
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds the Maildirs below an account's root, and what their marks say.
struct FolderScan {
  private let context: AccountContext
  private let known: [KnownMailbox]

  /// A scan beside the mailboxes that are on record.
  init(_ context: AccountContext, known: some Collection<KnownMailbox>) {
    self.context = context
    self.known = Array(known)
  }

  /// All of them, sorted; `lookingInside` also looks at the names of files in those without a marker.
  func folders(lookingInside: Bool) throws(SystemError) -> [FoundFolder] {
    let recorded = Set(known.map(\.id))
    var found: [FoundFolder] = []
    for relative in try context.tree.maildirs().maildirs {
      let marker = OwnershipMarker(context.tree.path(of: relative))
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
    guard lookingInside else { return found }
    for index in found.indices where found[index].owner == nil {
      found[index].wasSynced = try wasSynced(context.tree.path(of: found[index].directory))
    }
    return found
  }

  /// Whether another account has a record of that id: the folder came from there.
  private func isOtherAccounts(_ id: UInt64) throws(SystemError) -> Bool {
    for tree in context.trees where tree != context.tree {
      let store = StateStore(root: tree.root, layout: tree.layout)
      if try FileSystem.status(store.file(id, "map")) != nil { return true }
    }
    return false
  }

  private func traits(_ relative: [UInt8]) throws(SystemError) -> FoundFolder.Traits {
    let directory = context.tree.path(of: relative)
    return FoundFolder.Traits(
      cur: try FileSystem.status(Subdirectory.cur.path(in: directory)).map {
        FileIdentity($0.fingerprint)
      },
      marked: try OwnershipMarker(directory).changed() ?? .max
    )
  }

  private func wasSynced(_ directory: Path) throws(SystemError) -> Bool {
    try MaildirScan.scan(directory).files.contains { file in
      let base = file.name.base
      return MessageKey(baseName: base) != nil || ForeignName(base).wasSynced
    }
  }
}
