internal import Glibc
package import Platform

/// A message that gets a second name in another Maildir, in place of a copy of its octets.
package enum MaildirLink {
  /// Gives a file a second name in tmp of a Maildir.
  ///
  /// Nothing is made durable here: see ``MaildirCommit``.
  ///
  /// - Parameters:
  ///   - file: the file; a symbolic link gets the name itself.
  ///   - maildir: the directory that holds tmp.
  ///   - temporaryName: a name in tmp that no other writer uses. A file of that name is a leftover and is replaced.
  /// - Returns: what lies in tmp; nil where the file systems do not have such names.
  /// - Throws: the error of link(2) or unlink(2).
  package static func link(
    _ file: Path,
    to maildir: Path,
    temporaryName: [UInt8]
  ) throws(SystemError) -> DeliveredMessage? {
    let target = Subdirectory.tmp.path(in: maildir).appending(temporaryName)
    do throws(SystemError) {
      try FileSystem.link(file, to: target)
    } catch {
      if unsupported.contains(error.code) { return nil }
      guard error.isAlreadyThere else { throw error }
      try FileSystem.remove(target)
      try FileSystem.link(file, to: target)
    }
    let size = Int(try FileSystem.status(target, followingLinks: false)?.size ?? 0)
    return DeliveredMessage(
      maildir: maildir,
      temporaryName: temporaryName,
      wireSize: size,
      size: size,
      containsNUL: false
    )
  }

  /// Another file system; one without second names; no more names; a file of another user.
  private static let unsupported: Set<Int32> = [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS, EACCES]
}
