package import Maildir
package import MessageContent
package import Platform

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
