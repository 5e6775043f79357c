internal import Glibc
internal import Platform
package import SpoolPlan

/// The right to change one entry: meanwhile no other process changes it, sends it or writes into its log.
///
/// It is a lock of the entry's file, wherever that stands, and goes with the object. What changes the directories of the spool
/// is done under the lock of the spool besides, for a moment (`change`): always the entry's lock first. So a command about one
/// entry waits for work on that entry alone, however long the queue is.
package final class EntryLock {
  package let id: EntryID

  private let spool: Spool
  /// `nil` once the entry was given up.
  private var lock: FileLock?

  private let retired: RetiredEntries

  private init(_ id: EntryID, _ spool: Spool, _ lock: FileLock, _ retired: RetiredEntries) {
    (self.id, self.spool, self.lock, self.retired) = (id, spool, lock, retired)
  }

  /// Takes the lock of an entry in a spool that was prepared.
  ///
  /// What a process that was killed had decided about the entry is carried out before.
  ///
  /// - Parameters:
  ///   - id: the entry.
  ///   - spool: its spool.
  ///   - timeout: seconds to wait for another process.
  ///   - retired: takes what is retired under the lock; `nil` where who has the lock settles that.
  /// - Returns: `nil` when another process has it all that time.
  /// - Throws: `noEntry` where it is in no state; `lockUnsupported`.
  package static func acquire(
    _ id: EntryID,
    in spool: Spool,
    timeout: Double,
    retired: RetiredEntries? = nil
  ) throws(SpoolError) -> EntryLock? {
    let deadline = Deadline.after(seconds: timeout)
    while true {
      if let file = try open(id, spool, deadline), let lock = try lock(file, spool.lockFile) {
        let entry = EntryLock(id, spool, lock, retired ?? RetiredEntries(spool))
        // It may have gone before it was locked.
        guard let work = try entry.moment(timeout: max(deadline.remaining, min(timeout, 1)))
        else { return nil }
        guard try work.state(of: id) != nil else { throw .noEntry(id) }
        return entry
      }
      guard !deadline.isPast,
        Interruption.shared.sleep(seconds: min(0.05, deadline.remaining))
      else { return nil }
    }
  }

  /// Does something to the entry under the lock of the spool; nothing is to be waited for there.
  ///
  /// - Throws: `busy` where another process has that lock for very long; what the body throws.
  package func change<Result>(
    _ body: (LockedSpool) throws(SpoolError) -> Result
  ) throws(SpoolError) -> Result {
    var moment = try moment(timeout: Self.lockTimeout)
    if moment == nil { moment = try lastMoment() }
    guard let work = moment else { throw .busy(spool.path) }
    defer { withExtendedLifetime((work, self)) {} }
    return try body(work)
  }

  /// A program that is to end waits for a moment, too: what a server has answered has to come to its end.
  private func lastMoment() throws(SpoolError) -> LockedSpool? {
    for _ in 1...100 {
      usleep(10_000)
      if let work = try moment(timeout: 0) { return work }
    }
    return nil
  }

  /// Programs of before have the lock of the spool as long as they work on a queue.
  private static let lockTimeout = 60.0

  private func moment(timeout: Double) throws(SpoolError) -> LockedSpool? {
    try LockedSpool.acquire(spool, timeout: timeout, retired: retired)
  }

  /// Gives up the entry, which is gone, with its lock: there is nothing more to lock.
  package func giveUp() {
    guard let file = lock.take() else { return }
    retired.free(file)
  }

  /// The log of the entry, to be written on.
  package func openLog() throws(SpoolError) -> EntryLog { try EntryLog(id, spool) }

  /// Records a fact in the log of the entry.
  package func recordFact(_ fact: LogFact, now: Int64) throws(SpoolError) {
    try openLog().append(fact, now: now)
  }

  /// The file of an entry; `nil` where it has moved just now.
  private static func open(
    _ id: EntryID,
    _ spool: Spool,
    _ deadline: Deadline
  ) throws(SpoolError) -> Descriptor? {
    var state = try spool.state(of: id)
    if state == nil {
      // It may have been on its way from one state to another.
      guard let work = try LockedSpool.acquire(spool, timeout: deadline.remaining) else {
        return nil
      }
      state = try work.spool.state(of: id)
    }
    guard let state else { throw .noEntry(id) }
    let path = spool.directory(state).appending(id.octets)
    do throws(SpoolError) {
      return try SpoolFile.open(path, .update)
    } catch {
      // One that a person made read-only is locked all the same, wherever the file system allows that.
      guard case .system(let problem) = error, problem.isForbidden else { throw error }
      return try SpoolFile.open(path, .read)
    }
  }

  private static func lock(
    _ file: consuming Descriptor,
    _ lockFile: Path
  ) throws(SpoolError) -> FileLock? {
    switch FileLock.acquire(file) {
    case .acquired(let lock): return lock
    case .heldByOther: return nil
    case .unsupported: throw .lockUnsupported(lockFile)
    }
  }
}
