internal import Platform
package import SpoolPlan

/// A spool in which no other process changes what its directories hold; that is done through it only.
///
/// It is had for moments: nothing is waited for meanwhile, and anyone who changes one entry has the lock of that before
/// (`EntryLock`). What a process that was killed had decided is carried out before anyone else gets the lock
/// (`LockedSpool+Succession`). The lock goes with the object. Every change is durable on return if nothing else is said.
package final class LockedSpool {
  package let spool: Spool

  private let lock: FileLock

  /// Entries that are done and gone, and whose logs must not go before that is durable.
  private let retired: RetiredEntries

  private init(_ spool: Spool, _ lock: FileLock, _ retired: RetiredEntries) {
    self.spool = spool
    self.lock = lock
    self.retired = retired
  }

  /// Takes the lock of a spool that was prepared.
  ///
  /// - Parameters:
  ///   - spool: the spool.
  ///   - timeout: seconds to wait for another process.
  ///   - retired: takes what is retired; `nil` where `removeRetiredLogs` is called here.
  /// - Returns: `nil` when another process has the lock all that time.
  /// - Throws: `lockUnsupported` on file systems without locks, where no work is possible.
  package static func acquire(
    _ spool: Spool,
    timeout: Double = 0,
    retired: RetiredEntries? = nil
  ) throws(SpoolError) -> LockedSpool? {
    guard let lock = try lock(spool.lockFile, timeout: timeout) else { return nil }
    let work = LockedSpool(spool, lock, retired ?? RetiredEntries(spool))
    try work.finishSuccessions()
    return work
  }

  static func lock(_ file: Path, timeout: Double) throws(SpoolError) -> FileLock? {
    let outcome = try Spool.system { () throws(SystemError) in
      try FileLock.acquire(file, until: .after(seconds: timeout), pause: 0.05)
    }
    switch outcome {
    case .acquired(let lock): return lock
    case .unsupported: throw .lockUnsupported(file)
    case .heldByOther: return nil
    }
  }

  /// Removes what was cut short: halves of entries, logs of entries that are gone.
  package func tidy(now: Int64 = Clock.now()) throws(SpoolError) {
    try removeHalves(before: now - 3600)
    try removeDiscarded(before: now - Self.discardedLifetime)
    var known: Set<EntryID> = []
    let logs = try names(in: spool.logs)
    for state in EntryState.allCases { known.formUnion(try spool.entries(state)) }
    let orphans = logs.filter { name in EntryID(name).map { !known.contains($0) } ?? false }
    if !orphans.isEmpty { try synchroniseStates() }
    for name in orphans where !tellsEnd(name, after: now - Self.endLifetime) {
      try remove(spool.logs.appending(name))
    }
    try Spool.system { () throws(SystemError) in try AtomicFile.removeLeftovers(in: spool.path) }
  }

  /// What was discarded is kept for a day, in seconds.
  private static let discardedLifetime: Int64 = 86_400

  /// For how long a log tells what became of an entry that is gone and was not done, in seconds.
  private static let endLifetime: Int64 = 86_400

  private func tellsEnd(_ log: [UInt8], after moment: Int64) -> Bool {
    guard let id = EntryID(log), let record = (try? spool.log(of: id))?.last else { return false }
    return record.fact.isEndUndone && record.time > moment
  }

  private func removeDiscarded(before moment: Int64) throws(SpoolError) {
    for id in try spool.entries(.discarded) {
      // What cannot be looked at is no reason to send nothing.
      guard let time = try? spool.discarded(id).time, time < moment else { continue }
      try retire(id, from: .discarded)
    }
    try removeRetiredLogs()
  }

  /// Writers hold no lock: what is young may still be written.
  ///
  /// Entries that come of others are `finishSuccessions`' business.
  private func removeHalves(before moment: Int64) throws(SpoolError) {
    for name in try names(in: spool.temporaries) where spool.successor(named: name) == nil {
      let file = spool.temporaries.appending(name)
      let status = try Spool.system { () throws(SystemError) in
        try FileSystem.status(file, followingLinks: false)
      }
      guard let status, status.kind == .regular else { continue }
      if status.fingerprint.modified / 1_000_000_000 < moment { try remove(file) }
    }
  }

  func names(in directory: Path) throws(SpoolError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    do throws(SystemError) {
      try FileSystem.entries(of: directory) { name, _ in names.append([UInt8](name)) }
    } catch {
      guard error.isNotFound else { throw .system(error) }
    }
    return names
  }

  func remove(_ file: Path) throws(SpoolError) { try Self.remove(file) }

  static func remove(_ file: Path) throws(SpoolError) {
    do throws(SystemError) {
      try FileSystem.remove(file)
    } catch {
      guard error.isNotFound else { throw .system(error) }
    }
  }

  private func synchroniseStates() throws(SpoolError) {
    for state in EntryState.allCases { try synchronise(spool.directory(state)) }
  }

  func synchronise(_ directory: Path) throws(SpoolError) {
    try Spool.system { () throws(SystemError) in try FileSystem.synchroniseDirectory(directory) }
  }
}

// Entries.
extension LockedSpool {
  /// The log of an entry, to be written on.
  package func openLog(of id: EntryID) throws(SpoolError) -> EntryLog {
    try EntryLog(id, spool)
  }

  /// Records a fact in the log of an entry.
  package func recordFact(_ fact: LogFact, of id: EntryID, now: Int64) throws(SpoolError) {
    try openLog(of: id).append(fact, now: now)
  }

  /// Brings an entry from one state into another.
  ///
  /// - Throws: `noEntry` when it is not in that state.
  package func move(
    _ id: EntryID,
    from state: EntryState,
    to other: EntryState
  ) throws(SpoolError) {
    do throws(SystemError) {
      try FileSystem.rename(
        spool.directory(state).appending(id.octets),
        to: spool.directory(other).appending(id.octets)
      )
    } catch {
      throw error.isNotFound ? .noEntry(id) : .system(error)
    }
    // The new name first: it must not happen that the old one is durably gone and the new one not.
    try synchronise(spool.directory(other))
    try synchronise(spool.directory(state))
  }

  /// Takes an entry out of all work; it can be taken back for a day.
  package func discard(
    _ id: EntryID,
    from state: EntryState,
    now: Int64
  ) throws(SpoolError) {
    try noteIfLogIsWhole(.discarded(state), of: id, now: now)
    try move(id, from: state, to: .discarded)
  }

  /// Puts an entry that was discarded back to where it stood, and says where that is.
  package func undiscard(_ id: EntryID, now: Int64) throws(SpoolError) -> EntryState {
    let state = try spool.discarded(id).state
    try noteIfLogIsWhole(.undiscarded, of: id, now: now)
    try move(id, from: .discarded, to: state)
    return state
  }

  /// A log that is damaged is a reason to discard an entry, and must not keep it from being discarded.
  private func noteIfLogIsWhole(_ fact: LogFact, of id: EntryID, now: Int64) throws(SpoolError) {
    do throws(SpoolError) {
      try recordFact(fact, of: id, now: now)
    } catch {
      guard case .log = error else { throw error }
    }
  }

  /// Takes an entry away that is done.
  ///
  /// Durable after the next `removeLogs()` of those that are retired; until then a crash may bring it back, with its log.
  ///
  /// - Parameters:
  ///   - id: the entry.
  ///   - state: where it stands.
  ///   - keepingLog: whether its log stays for a day, to tell why it is gone although it was not done.
  /// - Throws: the error of removing its file.
  package func retire(
    _ id: EntryID,
    from state: EntryState,
    keepingLog: Bool = false
  ) throws(SpoolError) {
    try remove(spool.directory(state).appending(id.octets))
    retired.add(id, keepingLog: keepingLog)
  }

  /// Makes durable that the retired entries are gone, and removes their logs.
  package func removeRetiredLogs() throws(SpoolError) { try retired.removeLogs() }

  /// Looks whether an entry is as it was seen: in that state, with so many lines in its log.
  ///
  /// A program of before, which knows no locks of entries, may have changed or sent it since.
  ///
  /// - Throws: `noEntry` where it is gone, `entryBusy` where it was changed.
  package func checkUnchanged(
    _ id: EntryID,
    in state: EntryState,
    _ lines: Int
  ) throws(SpoolError) {
    guard try self.state(of: id) != nil else { throw .noEntry(id) }
    guard try spool.contains(id, in: state), try spool.log(of: id).count == lines else {
      throw .entryBusy(id)
    }
  }

  /// Where an entry stands; `nil` where it is gone.
  package func state(of id: EntryID) throws(SpoolError) -> EntryState? {
    try spool.state(of: id)
  }
}
