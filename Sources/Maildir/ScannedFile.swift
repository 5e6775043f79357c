internal import Octets
package import Platform

/// A message found in a Maildir.
package struct ScannedFile: Hashable, Sendable {
  /// Its name.
  package let name: FileName

  /// Where it was: new or cur.
  package let subdirectory: Subdirectory

  /// A message of this name at this place.
  package init(name: FileName, subdirectory: Subdirectory) {
    self.name = name
    self.subdirectory = subdirectory
  }

  /// Its path, given that of the Maildir.
  package func path(in maildir: Path) -> Path {
    subdirectory.path(in: maildir).appending(name.octets)
  }

  /// Looks for a message that another program may have renamed: its base stays, flags and place change.
  ///
  /// - Parameters:
  ///   - name: a name that it had.
  ///   - maildir: where it was.
  /// - Returns: where it is now, in cur if it is there twice; nil where it is gone, or the Maildir is.
  /// - Throws: the error of reading a directory that is there.
  package static func find(
    _ name: FileName,
    in maildir: Path
  ) throws(SystemError) -> ScannedFile? {
    let base = name.base
    for subdirectory in [Subdirectory.cur, .new] {
      var found: [UInt8]?
      do throws(SystemError) {
        try FileSystem.entries(of: subdirectory.path(in: maildir)) { entry, _ in
          guard found == nil, entry.count >= base.count, entry.starts(with: base),
            entry.count == base.count || entry[base.count] == ASCII.colon
          else { return }
          found = Array(entry)
        }
      } catch {
        guard error.isNotFound else { throw error }
      }
      if let found { return ScannedFile(name: FileName(found), subdirectory: subdirectory) }
    }
    return nil
  }
}
