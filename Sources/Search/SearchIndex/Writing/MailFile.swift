internal import Maildir
internal import Octets
internal import Platform

/// Reads files of a Maildir that may be renamed meanwhile.
enum MailFile {
  /// What was read of a file.
  struct Reading {
    /// Its beginning, or all of it.
    var octets: [UInt8]
    /// Its octets on disk.
    let size: UInt64
    /// What tells it from another file of its name.
    let mark: FileMark
    /// When its message came, in seconds since 1970; 0 where its name does not tell.
    ///
    /// The earlier of two times: the name has that of the delivery here, and the file that of the arrival at the server, or before
    /// an import; but a copy of a file may have that of the copying.
    let arrived: Int64

    fileprivate init(_ octets: [UInt8], _ status: FileStatus, named name: [UInt8]) {
      self.octets = octets
      (size, mark) = (UInt64(max(0, status.size)), FileMark(status))
      let modified = status.fingerprint.modified / 1_000_000_000
      let delivered = Self.delivery(name)
      arrived = modified > 0 ? min(modified, delivered) : delivered
    }

    private static func delivery(_ name: [UInt8]) -> Int64 {
      let digits = name.prefix { ASCII.isDigit($0) }
      guard (9...10).contains(digits.count) else { return 0 }
      return Int64(String(decoding: digits, as: UTF8.self)) ?? 0
    }
  }

  /// Reads at most so many octets of a file.
  ///
  /// A file that no longer has its name is looked for by its base name: other programs change flags.
  ///
  /// - Returns: nil where it is gone.
  /// - Throws: the error of open(2) or read(2).
  static func read(
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
      return Reading(octets, status, named: path.lastComponent)
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }
}
