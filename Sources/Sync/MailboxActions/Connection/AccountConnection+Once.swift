package import MailStore
package import Platform
package import SyncState

extension AccountConnection {
  /// What a look tells of something that is to be done once.
  enum Finding<Step, Outcome> {
    /// There is nothing to do.
    case settled(Outcome)
    /// This is to be done.
    case open(Step)
  }

  /// Looks, makes a note durable, and acts, with the account's lock held from the first look to the last answer.
  ///
  /// The look may be taken twice. `failing` makes an outcome of what went wrong in looking or doing.
  ///
  /// - Throws: what `noting` throws.
  func once<Step, Outcome, E>(
    looking: () throws(SyncFailure) -> Finding<Step, Outcome>,
    noting: (Step) throws(E) -> Void,
    doing: (Step) throws(SyncFailure) -> Outcome,
    failing: (SyncFailure) -> Outcome
  ) throws(E) -> Outcome {
    let lock: FileLock?
    let step: Step
    do throws(SyncFailure) {
      lock = isLocked ? nil : try places.store.lockBesideSync()
      switch try reading(looking) {
      case .settled(let outcome): return outcome
      case .open(let found): step = found
      }
    } catch {
      return failing(error)
    }
    defer { lock?.release() }
    try noting(step)
    do throws(SyncFailure) {
      return try doing(step)
    } catch {
      return failing(error)
    }
  }

  /// Holds the account's lock for all that `body` looks at and does; where it cannot be had, each of those finds out.
  func locked<Result, E>(_ body: () throws(E) -> Result) throws(E) -> Result {
    guard !isLocked, let lock = try? places.store.lockBesideSync() else { return try body() }
    isLocked = true
    defer {
      isLocked = false
      lock.release()
    }
    return try body()
  }
}

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
