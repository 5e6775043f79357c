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

  /// Reads the names in new alone, for those who know cur by its fingerprint.
  ///
  /// - Returns: what was found in new. ``isSettled`` also means that the fingerprint of cur stayed the same.
  /// - Throws: the error of opening or reading a directory; ENOENT where new or cur is missing.
  package static func scanNew(_ maildir: Path) throws(SystemError) -> MaildirScan {
    let (collection, reading) = try MaildirReading.readNew(
      maildir,
      into: ScanCollection(maildir: maildir, knowing: NoNames()),
      { $0.addEntry($1, $2, $3, in: $4) }
    )
    return try MaildirScan(collection, reading)
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

/// A message found in a Maildir.
package struct ScannedFile: Hashable, Sendable {
  package let name: FileName

  /// Where it was: new or cur.
  package let subdirectory: Subdirectory

  package init(name: FileName, subdirectory: Subdirectory) {
    self.name = name
    self.subdirectory = subdirectory
  }

  /// Its path, given that of the Maildir.
  package func path(in maildir: Path) -> Path {
    subdirectory.path(in: maildir).appending(name.octets)
  }
}

/// Something that has happened to a file of a Maildir.
///
/// A folder is named by its path below the root of the Maildir, as `FolderTree.directory(for:)` gives it: empty for
/// the root itself.
package enum MaildirChange: Hashable, Sendable {
  /// It is there now. Saying so again does no harm.
  case added(folder: [UInt8], ScannedFile)
  /// It is gone.
  case removed(folder: [UInt8], ScannedFile)
  /// It has another name, in the same folder or elsewhere; its content is the same.
  case renamed(folder: [UInt8], ScannedFile, toFolder: [UInt8], ScannedFile)
  /// The folder's file of keywords says something else of the message with a file of this base name.
  case marked(folder: [UInt8], base: [UInt8])
}
