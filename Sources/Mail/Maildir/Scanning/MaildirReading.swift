internal import Platform

/// One reading of the names in a Maildir: in new before cur, so that a message on its way from one to the other is seen.
struct MaildirReading {
  /// What takes a name (good during the call only) with its kind, its inode and the directory that holds it.
  typealias Visitor<Names> =
    (inout Names, UnsafeBufferPointer<UInt8>, EntryKind, UInt64, Subdirectory) -> Void

  /// When it began, in nanoseconds since 1970.
  let start: Int64
  /// The fingerprint of new, taken before its names were read.
  let new: FileFingerprint
  /// The fingerprint of cur, taken before its names were read.
  let cur: FileFingerprint
  /// Whether both fingerprints were the same after reading as before.
  let isSettled: Bool

  private static let attempts = 3

  /// What is read of a Maildir.
  private enum Part {
    case all
    case new
  }

  /// Reads the names, and again (three times at most) where they changed meanwhile.
  ///
  /// - Parameters:
  ///   - maildir: the directory that holds new and cur.
  ///   - empty: makes what each reading begins with.
  ///   - take: adds a name.
  /// - Returns: what the last reading found.
  /// - Throws: the error of opening or reading a directory; ENOENT where new or cur is missing.
  static func read<Names>(
    _ maildir: Path,
    into empty: () -> Names,
    _ take: Visitor<Names>
  ) throws(SystemError) -> (names: Names, reading: MaildirReading) {
    for _ in 1..<attempts {
      var names = empty()
      let reading = try MaildirReading(maildir, .all, &names, take)
      if reading.isSettled { return (names, reading) }
    }
    var names = empty()
    let reading = try MaildirReading(maildir, .all, &names, take)
    return (names, reading)
  }

  /// Reads the names in new alone, once.
  static func readNew<Names>(
    _ maildir: Path,
    into names: Names,
    _ take: Visitor<Names>
  ) throws(SystemError) -> (names: Names, reading: MaildirReading) {
    var names = names
    let reading = try MaildirReading(maildir, .new, &names, take)
    return (names, reading)
  }

  /// The same; nil for a Maildir that is not there, as one removed since its parent was read.
  static func readIfPresent<Names>(
    _ maildir: Path,
    into empty: () -> Names,
    _ take: Visitor<Names>
  ) throws(SystemError) -> (names: Names, reading: MaildirReading)? {
    do throws(SystemError) {
      return try read(maildir, into: empty, take)
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  private init<Names>(
    _ maildir: Path,
    _ part: Part,
    _ names: inout Names,
    _ take: Visitor<Names>
  ) throws(SystemError) {
    start = Clock.nowNanoseconds()
    new = try Self.visit(.new, of: maildir, &names, take)
    if part == .all {
      cur = try Self.visit(.cur, of: maildir, &names, take)
    } else {
      cur = try Self.presentFingerprint(.cur, in: maildir)
    }
    let after = (try Self.fingerprint(.new, in: maildir), try Self.fingerprint(.cur, in: maildir))
    isSettled = after == (new, cur)
  }

  private static func visit<Names>(
    _ subdirectory: Subdirectory,
    of maildir: Path,
    _ names: inout Names,
    _ take: Visitor<Names>
  ) throws(SystemError) -> FileFingerprint {
    try FileSystem.numberedEntries(of: subdirectory.path(in: maildir)) { name, kind, inode in
      take(&names, name, kind, inode, subdirectory)
    }
  }

  /// That of a directory that has to be there.
  private static func presentFingerprint(
    _ subdirectory: Subdirectory,
    in maildir: Path
  ) throws(SystemError) -> FileFingerprint {
    guard let fingerprint = try fingerprint(subdirectory, in: maildir) else {
      throw SystemError(operation: "open", path: subdirectory.path(in: maildir), code: 2)
    }
    return fingerprint
  }

  private static func fingerprint(
    _ subdirectory: Subdirectory,
    in maildir: Path
  ) throws(SystemError) -> FileFingerprint? {
    try FileSystem.status(subdirectory.path(in: maildir))?.fingerprint
  }
}
