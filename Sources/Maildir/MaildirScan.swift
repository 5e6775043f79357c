package import Platform

/// The messages that one Maildir held at one time.
package struct MaildirScan: Sendable {
  /// The messages, each base once, in no order.
  package let files: FileTable

  /// The fingerprint of new, taken before its names were read.
  package let newFingerprint: FileFingerprint

  /// The fingerprint of cur, taken before its names were read.
  package let curFingerprint: FileFingerprint

  /// What was found besides messages.
  ///
  /// Names that start with a dot are not even mentioned.
  package let oddities: [Oddity]

  /// Whether both fingerprints were the same after reading as before.
  ///
  /// If not, a program was renaming all the time: what was seen is there, what was not seen may be there too.
  package let isSettled: Bool

  /// Whether a change since the reading began is sure to have changed a fingerprint.
  package let isReliable: Bool

  /// Reads the names of a Maildir, and again (three times at most) where they changed meanwhile.
  ///
  /// New comes before cur: a message on its way from one to the other is seen, if twice then counted once.
  ///
  /// - Parameters:
  ///   - maildir: the directory that holds new and cur.
  ///   - names: base names that are in memory already, and need not be kept once more.
  /// - Returns: what the last reading found.
  /// - Throws: the error of opening or reading a directory; ENOENT where new or cur is missing.
  package static func scan(
    _ maildir: Path,
    knowing names: any KnownNames
  ) throws(SystemError) -> MaildirScan {
    for _ in 1..<attempts {
      let scan = try read(maildir, names)
      if scan.isSettled { return scan }
    }
    return try read(maildir, names)
  }

  /// The same where no names are known.
  package static func scan(_ maildir: Path) throws(SystemError) -> MaildirScan {
    try scan(maildir, knowing: NoNames())
  }

  /// The same; nil for a Maildir that is not there, as one removed since its parent was read.
  package static func scanIfPresent(_ maildir: Path) throws(SystemError) -> MaildirScan? {
    do throws(SystemError) {
      return try scan(maildir)
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  private static let attempts = 3

  private static func read(
    _ maildir: Path,
    _ names: any KnownNames
  ) throws(SystemError) -> MaildirScan {
    var collection = ScanCollection(maildir: maildir, knowing: names)
    // Reading may take as long as a fingerprint takes to become reliable.
    let start = Clock.nowNanoseconds()
    let newFingerprint = try collection.read(.new)
    let curFingerprint = try collection.read(.cur)
    let newFingerprintAfter = try fingerprint(.new, in: maildir)
    let curFingerprintAfter = try fingerprint(.cur, in: maildir)
    let isSettled = newFingerprintAfter == newFingerprint && curFingerprintAfter == curFingerprint
    let (files, oddities) = try collection.result(isSettled: isSettled)
    return MaildirScan(
      files: files,
      newFingerprint: newFingerprint,
      curFingerprint: curFingerprint,
      oddities: oddities,
      isSettled: isSettled,
      isReliable: newFingerprint.isReliable(now: start) && curFingerprint.isReliable(now: start)
    )
  }

  private static func fingerprint(
    _ subdirectory: Subdirectory,
    in maildir: Path
  ) throws(SystemError) -> FileFingerprint? {
    try FileSystem.status(subdirectory.path(in: maildir))?.fingerprint
  }
}
