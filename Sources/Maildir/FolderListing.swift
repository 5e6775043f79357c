package import Platform

/// The Maildirs found below the root of an account.
package struct FolderListing: Sendable {
  /// Every directory that holds cur and new, relative to the root and sorted; "" is the root itself.
  package let maildirs: [[UInt8]]

  /// Every directory that was looked into, relative to the root, and its stamp from before.
  ///
  /// As long as none of these changes there is no new folder.
  package let visited: [(relative: [UInt8], stamp: FileStamp)]
}

extension FolderTree {
  /// Looks for Maildirs at and below the root.
  ///
  /// Symbolic links to directories are followed, but no directory is visited twice. What lies in cur, new and tmp of a
  /// Maildir, and in the directories that hold Magnum's own state, is left out.
  ///
  /// - Returns: nothing at all where the root does not exist.
  /// - Throws: the error of opening or reading a directory.
  package func maildirs() throws(SystemError) -> FolderListing {
    guard try FileSystem.status(root) != nil else {
      return FolderListing(maildirs: [], visited: [])
    }
    var search = FolderSearch(root: root)
    try search.run()
    return FolderListing(maildirs: search.maildirs.sorted(by: precedes), visited: search.visited)
  }

  private func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.lexicographicallyPrecedes(other)
  }
}
