package import Platform

/// The Maildirs found below the root of an account.
package struct FolderListing: Sendable {
  /// Every directory that holds cur and new, relative to the root and sorted; "" is the root itself.
  package let maildirs: [[UInt8]]

  /// Every directory that was looked into, relative to the root, and its fingerprint from before.
  ///
  /// As long as none of these changes there is no new folder.
  package let visited: [(relative: [UInt8], fingerprint: FileFingerprint)]

  /// The directories that could not be read, where that was permitted, and why.
  package let unreadable: [(relative: [UInt8], error: SystemError)]

  /// The symbolic links to directories, where these are not followed.
  package let links: [[UInt8]]

  /// Every cur or new with files whose directory is no Maildir since the other one is missing, relative to the root and sorted.
  ///
  /// Programs that copy only files leave an empty directory out.
  package let halves: [[UInt8]]
}

extension FolderTree {
  /// Looks for Maildirs at and below the root.
  ///
  /// Symbolic links to directories are followed unless they are only to be told, but no directory is visited twice. What lies in cur, new and tmp of a
  /// Maildir, and in the directories that hold Magnum's own state, is left out.
  ///
  /// - Parameters:
  ///   - passesOverUnreadable: whether directories below the root that cannot be read are left out, and told.
  ///   - followsLinks: whether a symbolic link stands for the directory that it points to.
  /// - Returns: nothing at all where the root does not exist.
  /// - Throws: the error of opening or reading a directory.
  package func maildirs(
    passingOverUnreadable passesOverUnreadable: Bool = false,
    followingLinks followsLinks: Bool = true
  ) throws(SystemError) -> FolderListing {
    guard try FileSystem.status(root) != nil else {
      return FolderListing(maildirs: [], visited: [], unreadable: [], links: [], halves: [])
    }
    var search = FolderSearch(
      root: root,
      passesOverUnreadable: passesOverUnreadable,
      followsLinks: followsLinks
    )
    try search.findFolders()
    return FolderListing(
      maildirs: search.maildirs.sorted(by: precedes),
      visited: search.visited,
      unreadable: search.unreadable,
      links: search.links.sorted(by: precedes),
      halves: search.halves.sorted(by: precedes)
    )
  }

  private func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.lexicographicallyPrecedes(other)
  }
}
