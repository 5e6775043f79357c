package import MailModel
internal import Octets
package import Platform

/// Finds a file that another program may have renamed since it was seen: its base name stays, its flags and its directory
/// change.
///
/// All programs and commands find files in this way.
package enum CurrentPath {
  /// Where the file that was seen at a path is now; nil where it is gone, or its Maildir is.
  ///
  /// - Throws: the error of reading a directory that is there.
  package static func find(_ seen: Path) throws(SystemError) -> Path? {
    do throws(SystemError) {
      // As nearly always.
      if try isFile(seen) { return seen }
      let base = FileName(seen.lastComponent).base
      return try find(base, in: seen.parent.parent, seenAt: seen)
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  /// Where the file of a base name is now; nil where it is gone.
  ///
  /// - Throws: the error of reading the Maildir, also where that is gone.
  package static func find(
    _ base: [UInt8],
    in maildir: Path,
    seenAt path: Path
  ) throws(SystemError) -> Path? {
    if try isFile(path) { return path }
    let take: MaildirReading.Visitor<[ScannedFile]> = { found, octets, _, _, subdirectory in
      guard octets.count >= base.count, octets.first != ASCII.dot, octets.starts(with: base),
        octets.count == base.count || octets[base.count] == ASCII.colon
      else { return }
      found.append(ScannedFile(name: FileName([UInt8](octets)), subdirectory: subdirectory))
    }
    let (found, _) = try MaildirReading.read(maildir, into: { [] }, take)
    // While names change, one file may be seen under two of them.
    var files: [ScannedFile] = []
    for file in found where try isFile(file.path(in: maildir)) { files.append(file) }
    let flags = FileName(path.lastComponent).flags
    return choice(of: files, showing: flags)?.path(in: maildir)
  }

  /// The file that is meant by a base name: one in cur before one in new, which is on its way there.
  ///
  /// Of several it is the one whose name shows just these flags; nil where none does, since the others may be other messages.
  package static func choice(
    of files: [ScannedFile],
    showing flags: SystemFlags
  ) -> ScannedFile? {
    let arrived = files.filter { $0.subdirectory == .cur }
    let files = arrived.isEmpty ? files : arrived
    guard files.count > 1 else { return files.first }
    return files.first { $0.name == FileName(base: $0.name.base, flags: flags) }
  }

  private static func isFile(_ path: Path) throws(SystemError) -> Bool {
    try FileSystem.status(path)?.kind == .regular
  }
}
