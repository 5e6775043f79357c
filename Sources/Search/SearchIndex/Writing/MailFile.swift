internal import Maildir
internal import Platform

/// Reads files of a Maildir that may be renamed meanwhile.
enum MailFile {
  /// What was read of a file, and what tells it from another one of its name.
  typealias Reading = (octets: [UInt8], size: UInt64, mark: FileMark)

  /// The octets of a file, at most so many, and its size on disk.
  ///
  /// A file that no longer has its name is looked for by its base name: other programs change flags.
  ///
  /// - Returns: nil where it is gone.
  /// - Throws: the error of open(2) or read(2).
  static func read(
    _ maildir: Path,
    _ file: ScannedFile,
    limit: Int
  ) throws(SystemError) -> (octets: [UInt8], size: UInt64)? {
    try readWithMark(maildir, file, limit: limit).map { ($0.octets, $0.size) }
  }

  /// The same, and what tells the file from another one of its name.
  static func readWithMark(
    _ maildir: Path,
    _ file: ScannedFile,
    limit: Int
  ) throws(SystemError) -> Reading? {
    let path = file.path(in: maildir)
    if let found = try read(path, limit) { return found }
    guard let other = try CurrentPath.find(path) else { return nil }
    return try read(other, limit)
  }

  private static func read(
    _ path: Path,
    _ limit: Int
  ) throws(SystemError) -> Reading? {
    do throws(SystemError) {
      let file = try Descriptor.open(path, .read)
      let status = try file.status()
      let size = UInt64(max(0, status.size))
      var octets = try file.read(atMost: Int(min(size, UInt64(limit))))
      while octets.count < min(Int(size), limit) {
        let more = try file.read(atMost: min(Int(size), limit) - octets.count)
        if more.isEmpty { break }
        octets += more
      }
      return (octets, size, FileMark(status))
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }
}
