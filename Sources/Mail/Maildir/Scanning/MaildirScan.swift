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
    let (collection, reading) = try MaildirReading.read(
      maildir,
      into: { ScanCollection(maildir: maildir, knowing: names) },
      { $0.addEntry($1, $2, $3, in: $4) }
    )
    return try MaildirScan(collection, reading)
  }

  /// The same where no names are known.
  package static func scan(_ maildir: Path) throws(SystemError) -> MaildirScan {
    try scan(maildir, knowing: NoNames())
  }

  /// The same; nil for a Maildir that is not there, as one removed since its parent was read.
  package static func scanIfPresent(_ maildir: Path) throws(SystemError) -> MaildirScan? {
    let found = try MaildirReading.readIfPresent(
      maildir,
      into: { ScanCollection(maildir: maildir, knowing: NoNames()) },
      { $0.addEntry($1, $2, $3, in: $4) }
    )
    guard let (collection, reading) = found else { return nil }
    return try MaildirScan(collection, reading)
  }

  private init(_ collection: ScanCollection, _ reading: MaildirReading) throws(SystemError) {
    (files, oddities) = try collection.result(isSettled: reading.isSettled)
    newFingerprint = reading.new
    curFingerprint = reading.cur
    isSettled = reading.isSettled
    // Reading may take as long as a fingerprint takes to become reliable.
    isReliable =
      reading.new.isReliable(now: reading.start) && reading.cur.isReliable(now: reading.start)
  }
}
