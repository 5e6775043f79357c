package import Octets
internal import Platform
package import Spool
package import SpoolPlan
internal import SMTP

/// What a person does to entries.
extension Outbox {
  /// Seconds to wait for work on the entry.
  private static let lockTimeout = 10.0

  /// Tries a failed entry again, from the beginning; those who have the message do not get it again.
  ///
  /// - Throws: `noEntry` unless it is among the failed ones, `busy`.
  package func retry(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.failed]) { (work) throws(SpoolError) in
      try work.recordFact(.retried, of: item.id, now: Clock.now())
      try work.move(item.id, from: item.state, to: .queue)
    }
  }

  /// Stops an entry of the queue.
  ///
  /// - Throws: `noEntry` unless it is in the queue, `busy`.
  package func hold(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.queue]) { (work) throws(SpoolError) in
      try work.recordFact(.held([UInt8]("by command".utf8)), of: item.id, now: Clock.now())
      try work.move(item.id, from: item.state, to: .hold)
    }
  }

  /// Lets an entry go on that was stopped.
  ///
  /// - Parameters:
  ///   - item: the entry.
  ///   - isApproved: whether a person at a terminal was shown it and agreed. What an agent wrote is held again without that.
  /// - Throws: `noEntry` unless it is held, `busy`.
  package func release(_ item: QueuedItem, isApproved: Bool = false) throws(SpoolError) {
    try change(item, from: [.hold]) { (work) throws(SpoolError) in
      let fact: LogFact = isApproved ? .approved : .released
      try work.recordFact(fact, of: item.id, now: Clock.now())
      try work.move(item.id, from: item.state, to: .queue)
    }
  }

  /// Notes that a failed entry was reported.
  ///
  /// - Throws: `noEntry` unless it is among the failed ones, `busy`.
  package func noteReported(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.failed]) { (work) throws(SpoolError) in
      try work.recordFact(.reported, of: item.id, now: Clock.now())
    }
  }

  /// Notes that a person was shown an entry that failed.
  ///
  /// - Throws: `noEntry` unless it is among the failed ones, `busy`.
  package func noteSeen(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.failed]) { (work) throws(SpoolError) in
      try work.recordFact(.seen, of: item.id, now: Clock.now())
    }
  }

  /// Discards an entry; it can be put back for a day.
  ///
  /// Of a message that others have, it is what is left for the rest: the copy of what those have is made all the same.
  ///
  /// - Returns: the entry that is discarded.
  /// - Throws: `noEntry` when it is gone, `busy`.
  @discardableResult
  package func discard(_ item: QueuedItem) throws(SpoolError) -> EntryID {
    var id = item.id
    try change(item, from: EntryState.wanted) { (work) throws(SpoolError) in
      id = try splitOffRest(of: item, work)?.id ?? item.id
      try work.discard(id, from: item.state, now: Clock.now())
    }
    return id
  }

  /// Splits off the part of an entry that some recipients still lack, as an entry of its own in the same state.
  ///
  /// `nil` where no recipient has the message, nothing is left, or it cannot be read.
  private func splitOffRest(of item: QueuedItem, _ work: LockedSpool) throws(SpoolError) -> Entry? {
    guard let log = try? item.spool.log(of: item.id), log.contains(where: \.fact.isAcceptance),
      let stored = try? item.spool.load(item.id, in: item.state)
    else { return nil }
    return try splitOffRest(of: stored, Progress(stored.entry.action, log), item.state, work)
  }

  private func splitOffRest(
    of stored: StoredEntry,
    _ progress: Progress,
    _ state: EntryState,
    _ work: LockedSpool
  ) throws(SpoolError) -> Entry? {
    let left = progress.left
    guard progress.isAccepted, !left.isEmpty else { return nil }
    guard let part = try work.split(stored, left, progress, to: state, now: Clock.now()) else {
      throw .noEntry(stored.entry.id)
    }
    return part
  }

  /// Puts an entry that was discarded back to where it stood.
  ///
  /// - Throws: `noEntry` unless it is among the discarded ones, `busy`.
  package func undiscard(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.discarded]) { (work) throws(SpoolError) in
      _ = try work.undiscard(item.id, now: Clock.now())
    }
  }

  /// Removes an entry for good.
  ///
  /// - Throws: `noEntry` when it is gone, `busy`.
  package func withdraw(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: EntryState.wanted) { (work) throws(SpoolError) in
      try work.retire(item.id, from: item.state)
      try work.removeRetiredLogs()
    }
  }

  /// Replaces an entry that is not done by another message, perhaps to other recipients.
  ///
  /// If some recipients have the message, it replaces the part for the others. The copy of what those have is made all the
  /// same; a message that differs from theirs gets a copy of its own. The entry may be in another state than it was found in,
  /// since a person may have written for long.
  ///
  /// - Parameters:
  ///   - item: the entry.
  ///   - edit: makes the new version of what is still to be sent; `nil` leaves all as it is.
  /// - Returns: the new entry; `nil` when nothing was changed.
  /// - Throws: `noEntry` when it is gone, `busy`.
  @discardableResult
  package func edit(
    _ item: QueuedItem,
    _ edit: (Unsent) -> (Sending, any OctetSource)?
  ) throws(SpoolError) -> Entry? {
    let lock = try locked(item)
    guard let (stored, state) = try wanted(item),
      case .send(let sending) = stored.entry.action, let message = stored.message
    else { throw .noEntry(item.id) }
    let log = try item.spool.log(of: item.id)
    let progress = Progress(stored.entry.action, log)
    let unsent = Unsent(
      sending: sending.limited(to: progress.left),
      message: message,
      seal: stored.entry.seal,
      isShared: progress.isAccepted || progress.mayBeTaken || item.id.isSplitOff
    )
    guard !progress.left.isEmpty, let (sending, message) = edit(unsent) else { return nil }
    let isSame = try Spool.seal(message, like: stored.entry.seal) == stored.entry.seal
    return try lock.change { (work) throws(SpoolError) in
      try work.checkUnchanged(item.id, in: state, log.count)
      return try work.replace(
        try splitOffRest(of: stored, progress, state, work) ?? stored.entry,
        with: .send(sending),
        message: message,
        copiedWith: isSame && sending.copy != nil && progress.hasCopyElsewhere ? item.id : nil,
        isShared: unsent.isShared,
        now: Clock.now()
      )
    }
  }

  /// An entry that is still wanted, where it stands now; `nil` where it is gone.
  func wanted(_ item: QueuedItem) throws(SpoolError) -> (StoredEntry, EntryState)? {
    for state in EntryState.wanted {
      if let stored = try item.spool.load(item.id, in: state) { return (stored, state) }
    }
    return nil
  }

  /// The lock of an entry.
  ///
  /// - Throws: `busy` where another process works on it for longer than a person likes to wait; `noEntry` where it is gone.
  func locked(_ item: QueuedItem) throws(SpoolError) -> EntryLock {
    try item.spool.prepare(user: user)
    let lock = try EntryLock.acquire(item.id, in: item.spool, timeout: Self.lockTimeout)
    guard let lock else { throw .entryBusy(item.id) }
    return lock
  }

  /// Does something to an entry under its lock.
  private func change(
    _ item: QueuedItem,
    from states: [EntryState],
    _ body: (LockedSpool) throws(SpoolError) -> Void
  ) throws(SpoolError) {
    guard states.contains(item.state) else { throw .noEntry(item.id) }
    try locked(item).change { (work) throws(SpoolError) in
      // It may have moved on while we waited.
      guard try item.spool.contains(item.id, in: item.state) else { throw .noEntry(item.id) }
      try body(work)
    }
  }
}

/// What of a message is still to be sent, for who makes a new version of it.
package struct Unsent: Sendable {
  /// To whom, and how.
  package let sending: Sending

  package let message: any OctetSource

  /// What tells whether a message is this one.
  package let seal: MessageSeal?

  /// Whether others have the message, or may have it.
  package let isShared: Bool
}

extension Progress {
  /// Whether the server may have the message for a recipient that it did not answer for.
  var mayBeTaken: Bool { mayHaveBeenTaken || !uncertain.isEmpty }
}
