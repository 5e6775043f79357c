package import Maildir
package import MessageContent
package import Platform
package import SyncPlan

/// A message file in a Maildir of an account, as it is on record there.
///
/// Nothing is locked: a sync may change it meanwhile.
package struct RecordedFile {
  package let header: MailboxHeader
  package let record: BaseRecord

  package init(header: MailboxHeader, record: BaseRecord) {
    self.header = header
    self.record = record
  }

  /// The file of that path as the accounts with these Maildirs have it on record; nil where it is on none.
  package init?(_ file: Path, in trees: [FolderTree]) throws(SystemError) {
    let folder = Self.real(file.parent.parent)
    guard let owner = try OwnershipMarker(folder).readableOwner() else { return nil }
    for tree in trees where folder.octets.starts(with: Self.real(tree.root).octets) {
      let store = StateStore(root: tree.root, layout: tree.layout)
      guard let state = try store.state(of: owner),
        // A copy of the folder bears the same marker.
        Self.real(tree.path(of: state.header.directory)) == folder
      else { continue }
      guard let uid = state.uid(of: FileName(file.lastComponent).base),
        let record = state.messages[uid]
      else { return nil }
      (header, self.record) = (state.header, record)
      return
    }
    return nil
  }

  private static func real(_ path: Path) -> Path { (try? FileSystem.realPath(path)) ?? path }
}

/// A file that a program may write anew in its place, which leaves no mark on its directory.
package struct DraftFile: Hashable {
  /// Where it is in its Maildir: subdirectory and name.
  let place: [UInt8]
  /// What it looked like when it held what is on record.
  let version: FileVersion

  init(place: [UInt8], version: FileVersion) {
    self.place = place
    self.version = version
  }

  /// A file that was found, and what is on record of it.
  package init(_ file: ScannedFile, _ version: FileVersion) {
    self.init(place: file.path(in: Path([])).octets, version: version)
  }

  /// Whether the file in that Maildir may be another one by now.
  package func mayBeEdited(in maildir: Path) -> Bool {
    guard let status = try? FileSystem.status(maildir.appending(place)) else { return true }
    return !FileVersion(status).isLike(version)
  }
}
