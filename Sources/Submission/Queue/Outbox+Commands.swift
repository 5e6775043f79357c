package import Octets
internal import Platform
package import Spool
package import SpoolPlan
internal import SMTP

/// What a person does to entries.
extension Outbox {
  /// Seconds to wait for a run that is under way.
  private static let patience = 10.0

  /// Tries a failed entry again, from the beginning; those who have the message do not get it again.
  ///
  /// - Throws: `noEntry` unless it is among the failed ones, `busy`.
  package func retry(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.failed]) { (work) throws(SpoolError) in
      try work.note(.retried, of: item.id, now: Clock.now())
      try work.move(item.id, from: item.state, to: .queue)
    }
  }

  /// Stops an entry of the queue.
  ///
  /// - Throws: `noEntry` unless it is in the queue, `busy`.
  package func hold(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.queue]) { (work) throws(SpoolError) in
      try work.note(.held([UInt8]("by command".utf8)), of: item.id, now: Clock.now())
      try work.move(item.id, from: item.state, to: .hold)
    }
  }

  /// Lets an entry go on that was stopped.
  ///
  /// - Throws: `noEntry` unless it is held, `busy`.
  package func release(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.hold]) { (work) throws(SpoolError) in
      try work.note(.released, of: item.id, now: Clock.now())
      try work.move(item.id, from: item.state, to: .queue)
    }
  }

  /// Notes that a failed entry was reported.
  ///
  /// - Throws: `noEntry` unless it is among the failed ones, `busy`.
  package func noteReported(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.failed]) { (work) throws(SpoolError) in
      try work.note(.reported, of: item.id, now: Clock.now())
    }
  }

  /// Takes an entry out of all work; it can be taken back for a day.
  ///
  /// - Throws: `noEntry` when it is not there any more, `busy`.
  package func discard(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: EntryState.wanted) { (work) throws(SpoolError) in
      try work.discard(item.id, from: item.state, now: Clock.now())
    }
  }

  /// Puts an entry that was discarded back to where it stood.
  ///
  /// - Throws: `noEntry` unless it is among the discarded ones, `busy`.
  package func undiscard(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: [.discarded]) { (work) throws(SpoolError) in
      _ = try work.undiscard(item.id, now: Clock.now())
    }
  }

  /// Takes an entry away for ever.
  ///
  /// - Throws: `noEntry` when it is not there any more, `busy`.
  package func withdraw(_ item: QueuedItem) throws(SpoolError) {
    try change(item, from: EntryState.wanted) { (work) throws(SpoolError) in
      try work.retire(item.id, from: item.state)
      try work.settle()
    }
  }

  /// Puts another message, to other recipients perhaps, in the place of an entry that is not done.
  ///
  /// - Parameters:
  ///   - item: the entry.
  ///   - edit: makes the new version of what is still to be sent; `nil` leaves all as it is.
  /// - Returns: the new entry; `nil` when nothing was changed.
  /// - Throws: `noEntry` when it is not there any more, `busy`.
  @discardableResult
  package func edit(
    _ item: QueuedItem,
    _ edit: (Sending, any OctetSource) -> (Sending, any OctetSource)?
  ) throws(SpoolError) -> Entry? {
    var new: Entry?
    try change(item, from: EntryState.wanted) { (work) throws(SpoolError) in
      guard let stored = try item.spool.load(item.id, in: item.state),
        case .send(let sending) = stored.entry.action, let message = stored.message
      else { throw .noEntry(item.id) }
      let progress = Progress(stored.entry.action, try item.spool.log(of: item.id))
      let left = progress.left(of: sending)
      guard !left.envelope.recipients.isEmpty, let (sending, message) = edit(left, message) else {
        return
      }
      new = try work.replace(
        stored.entry,
        in: item.state,
        with: .send(sending),
        message: message,
        now: Clock.now()
      )
    }
    return new
  }

  /// The spool of an entry, locked.
  ///
  /// - Throws: `busy` where another process works on it for longer than a person likes to wait.
  func locked(_ item: QueuedItem) throws(SpoolError) -> LockedSpool {
    try item.spool.prepare(user: user)
    guard let work = try LockedSpool.acquire(item.spool, patience: Self.patience) else {
      throw .busy(item.spool.path)
    }
    // Else both versions of an entry would be sent, where a crash came into an edit.
    if item.state == .hold { try work.finishReplacement(of: item.id) }
    return work
  }

  /// Does something to an entry under the lock.
  private func change(
    _ item: QueuedItem,
    from states: [EntryState],
    _ body: (LockedSpool) throws(SpoolError) -> Void
  ) throws(SpoolError) {
    guard states.contains(item.state) else { throw .noEntry(item.id) }
    let work = try locked(item)
    // It may have moved on while we waited.
    guard try item.spool.contains(item.id, in: item.state) else { throw .noEntry(item.id) }
    try body(work)
    withExtendedLifetime(work) {}
  }
}

extension Progress {
  /// What of a sending is still to be done.
  fileprivate func left(of sending: Sending) -> Sending {
    let left = sending.limited(to: (open + refused).sorted())
    guard steps.contains(where: \.isOpen) else { return left }
    return Sending(
      left.envelope,
      messageID: left.messageID,
      copy: sending.copy,
      blindCopies: left.blindCopies,
      label: left.label,
      notBefore: sending.notBefore
    )
  }
}
