package import Platform
package import SpoolPlan

/// Why something cannot be done with a spool.
package enum SpoolError: Error, Hashable, Sendable {
  /// The system refused.
  case system(SystemError)

  /// The directory is another user's.
  case foreignOwner(Path, user: UInt32)

  /// Others than the owner can write into the directory.
  case openToOthers(Path, mode: UInt32)

  /// Something else than a directory is in its place.
  case notADirectory(Path)

  /// The file system cannot lock.
  case lockUnsupported(Path)

  /// Another process works on the spool, and did not end in time.
  case busy(Path)

  /// There is no such entry, or not in a state in which this can be done to it.
  case noEntry(EntryID)

  /// The file of an entry cannot be worked on.
  case entry(EntryID, EntryError)

  /// The log of an entry cannot be understood.
  case log(EntryID, LogError)
}
