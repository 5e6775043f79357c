internal import MailStore
internal import Platform
internal import SyncState

extension StateStore {
  /// Takes the account's lock for somebody who is no sync; nil where no sync ever ran, so that there is nothing
  /// to be locked.
  ///
  /// - Throws: `locked` while a sync is under way.
  func lockBesideSync() throws(SyncFailure) -> FileLock? {
    let outcome = try attempt { () throws(SystemError) -> FileLock.Outcome? in
      guard try FileSystem.status(directory) != nil else { return nil }
      return try FileLock.acquire(lock)
    }
    switch outcome {
    case .acquired(let lock): return lock
    case .heldByOther: throw .locked(lock)
    case .unsupported: throw .lockUnsupported(lock)
    case nil: return nil
    }
  }

  /// The summary of the last run; nil when there is none or it is damaged, or of an older version.
  ///
  /// - Throws: `newerState` where a newer version wrote it.
  func loadSummaryForUpdate() throws(SyncFailure) -> Summary? {
    let octets = try attempt { () throws(SystemError) in
      try FileSystem.readFile(summary, limit: Self.sizeLimit)
    }
    guard let octets else { return nil }
    do {
      return try SummaryFile.decode(octets)
    } catch {
      if error.problem == .newerVersion { throw .newerState(summary) }
      return nil
    }
  }
}
