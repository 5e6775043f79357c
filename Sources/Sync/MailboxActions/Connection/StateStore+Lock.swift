package import MailStore
package import Platform
package import SyncState

extension StateStore {
  /// Takes the account's lock for an action beside the sync.
  ///
  /// - Returns: nil where no sync ever ran, so that there is nothing to be locked.
  /// - Throws: `locked` while a sync is under way.
  package func lockBesideSync() throws(SyncFailure) -> FileLock? {
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
}
