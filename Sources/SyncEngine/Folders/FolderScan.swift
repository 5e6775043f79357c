internal import Maildir
internal import Platform

/// Finds the Maildirs below an account's root, and what their marks say.
enum FolderScan {
  /// All of them, sorted; `lookingInside` also looks at the names of files in those without a mark.
  static func folders(
    _ tree: FolderTree,
    _ store: StateStore,
    lookingInside: Bool
  ) throws(SystemError) -> [FoundFolder] {
    var found: [FoundFolder] = []
    for relative in try tree.maildirs().maildirs {
      let directory = tree.path(of: relative)
      var folder = FoundFolder(directory: relative, owner: try MailboxMark(directory).owner())
      if let owner = folder.owner {
        folder.isOwnerRecorded = try FileSystem.status(store.file(owner, "map")) != nil
      } else if lookingInside {
        folder.wasSynced = try wasSynced(directory)
      }
      found.append(folder)
    }
    return found
  }

  private static func wasSynced(_ directory: Path) throws(SystemError) -> Bool {
    try MaildirScan.scan(directory).files.contains { file in
      let base = file.name.base
      return MessageKey(baseName: base) != nil || ForeignName(base).wasSynced
    }
  }
}
