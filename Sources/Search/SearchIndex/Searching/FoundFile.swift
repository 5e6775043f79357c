package import Maildir
package import Platform

/// A file of a message in an archive on another machine: where it lies there is not told.
package struct ArchivedCopy: Hashable, Sendable {
  package let archive: String
  /// The folder as people know it there.
  package let folder: [UInt8]

  package init(archive: String, folder: [UInt8]) {
    self.archive = archive
    self.folder = folder
  }
}

/// A file of a message that was found.
package struct FoundFile: Hashable, Sendable {
  /// The Maildir that holds it.
  package let maildir: Path

  /// The folder as people know it: `INBOX`, `Lists/swift`.
  package let folder: [UInt8]

  /// The file as the index knows it.
  package let file: ScannedFile

  /// Its path as the index knows it.
  package var path: Path { file.path(in: maildir) }

  /// Its path now: other programs change flags, and the index learns of it later.
  ///
  /// - Returns: nil where it is gone.
  package func currentPath() -> Path? {
    (try? CurrentPath.find(path)) ?? nil
  }
}
