internal import Glibc
package import Octets
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

  /// Something else than an ordinary file is in its place: a link, a pipe, a directory.
  case notAFile(Path)

  /// The file is longer than any that Magnum writes; the limit is in octets.
  case tooLong(Path, limit: Int)

  /// The file system cannot lock.
  case lockUnsupported(Path)

  /// Another process works on the spool, and did not end in time.
  case busy(Path)

  /// Another process works on the entry, and did not end in time.
  case entryBusy(EntryID)

  /// There is no such entry, or not in a state in which this can be done to it.
  case noEntry(EntryID)

  /// The file of an entry cannot be worked on.
  case entry(EntryID, EntryError)

  /// A message can no longer be read, or is not the one that it was.
  case message(SourceError)

  /// The log of an entry cannot be understood.
  case log(EntryID, LogError)
}

extension SpoolError {
  /// Whether another process is in the way, and only that.
  package var isOfOtherProcess: Bool {
    switch self {
    case .busy, .entryBusy: true
    default: false
    }
  }

  /// Whether something is wrong with one file alone, so that others can be worked on.
  package var isOfOneFile: Bool {
    switch self {
    case .notAFile, .tooLong, .message: true
    case .system(let error): error.code == EACCES && error.operation == "open"
    default: false
    }
  }
}
