package import Platform

/// A message found in a Maildir.
package struct ScannedFile: Hashable, Sendable {
  package let name: FileName

  /// Where it was: new or cur.
  package let subdirectory: Subdirectory

  package init(name: FileName, subdirectory: Subdirectory) {
    self.name = name
    self.subdirectory = subdirectory
  }

  /// Its path, given that of the Maildir.
  package func path(in maildir: Path) -> Path {
    subdirectory.path(in: maildir).appending(name.octets)
  }
}
