internal import Maildir
internal import Platform

/// The files of folders by their base names; each folder is read once, when a file of it is first looked for.
struct FolderFiles {
  private var listings: [Path: [[UInt8]: ScannedFile]] = [:]

  /// The file of a base name in a Maildir, as it was when that was read; nil where there is none.
  mutating func file(
    of base: [UInt8],
    in maildir: Path
  ) throws(SystemError) -> ScannedFile? {
    if let known = listings[maildir] { return known[base] }
    guard let scan = try MaildirScan.scanIfPresent(maildir) else { return nil }
    var files: [[UInt8]: ScannedFile] = [:]
    files.reserveCapacity(scan.files.count)
    for file in scan.files { files[file.name.base] = file }
    listings[maildir] = files
    return files[base]
  }

  /// Notes what became of a file, where its folder was read.
  mutating func note(_ file: ScannedFile?, of base: [UInt8], in maildir: Path) {
    listings[maildir]?[base] = file
  }

  /// Has a folder read again, since it is not as it was.
  mutating func forget(_ maildir: Path) {
    listings[maildir] = nil
  }
}
