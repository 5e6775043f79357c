package import Platform

/// Finds a file that a client may have renamed since it was seen.
package enum CurrentPath {
  /// Where the file of that base name stands in the Maildir now; nil where it is gone.
  package static func find(
    _ name: [UInt8],
    in directory: Path,
    seenAt path: Path
  ) throws(SystemError) -> Path? {
    if try FileSystem.status(path) != nil { return path }
    let scan = try MaildirScan.scan(directory)
    return scan.files.first { $0.name.base == name }?.path(in: directory)
  }
}
