package import Platform

/// The messages that one Maildir held at one time.
package struct MaildirScan: Sendable {
  /// The messages, each base once, in no order.
  package let files: [ScannedFile]

  /// The stamp of new, taken before its names were read.
  package let stampNew: FileStamp

  /// The stamp of cur, taken before its names were read.
  package let stampCur: FileStamp

  /// What was found besides messages.
  ///
  /// Names that start with a dot are not even mentioned.
  package let oddities: [Oddity]

  /// Whether both stamps were the same after reading as before.
  ///
  /// If not, a program was renaming all the time: what was seen is there, what was not seen may be there too.
  package let isSettled: Bool

  /// Reads the names of a Maildir, and again (three times at most) where they changed meanwhile.
  ///
  /// New comes before cur: a message on its way from one to the other is seen, if twice then counted once.
  ///
  /// - Parameter maildir: the directory that holds new and cur.
  /// - Returns: what the last reading found.
  /// - Throws: the error of opening or reading a directory; ENOENT where new or cur is missing.
  package static func scan(_ maildir: Path) throws(SystemError) -> MaildirScan {
    for _ in 1..<attempts {
      let scan = try read(maildir)
      if scan.isSettled { return scan }
    }
    return try read(maildir)
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

  private static func read(_ maildir: Path) throws(SystemError) -> MaildirScan {
    var collection = ScanCollection(maildir: maildir)
    let stampNew = try collection.read(.new)
    let stampCur = try collection.read(.cur)
    let stampNewAfter = try stamp(.new, in: maildir)
    let stampCurAfter = try stamp(.cur, in: maildir)
    let isSettled = stampNewAfter == stampNew && stampCurAfter == stampCur
    let (files, oddities) = try collection.result(isSettled: isSettled)
    return MaildirScan(
      files: files,
      stampNew: stampNew,
      stampCur: stampCur,
      oddities: oddities,
      isSettled: isSettled
    )
  }

  private static func stamp(
    _ subdirectory: Subdirectory,
    in maildir: Path
  ) throws(SystemError) -> FileStamp? {
    try FileSystem.status(subdirectory.path(in: maildir))?.stamp
  }
}
