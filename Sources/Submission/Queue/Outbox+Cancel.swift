package import Octets
internal import Platform
package import Spool
internal import SpoolPlan

/// What came of taking a message back before it is sent.
package enum Cancellation: Sendable {
  /// It is out of the queue, and kept.
  case done
  /// It could not be kept, and is where it was.
  case notKept
  /// The entry asks for something else than to send a message.
  case noMessage
  /// Recipients have it, or an entry of their own.
  case othersHaveIt
  /// The server did not answer the end of the message.
  case mayBeSent
  /// It is not waiting any more.
  case ended(EntryFate)
}

extension Outbox {
  /// Takes a message that no recipient has away, once a copy of it is kept.
  ///
  /// It is decided under the lock, so that no server is offered the message meanwhile. The copy is durable before the log says
  /// that the message is not to be sent, and that is durable before the entry goes: after a crash it is sent, or kept.
  /// - Parameters:
  ///   - item: the entry.
  ///   - keep: gets the message with its Bcc; durable where it gives true.
  /// - Returns: whether it was taken back, and why not.
  /// - Throws: `busy`.
  package func cancel(
    _ item: QueuedItem,
    keep: (any OctetSource) -> Bool
  ) throws(SpoolError) -> Cancellation {
    let work = try locked(item)
    defer { withExtendedLifetime(work) {} }
    // It may have moved on while we waited.
    for state in EntryState.wanted {
      if let stored = try item.spool.load(item.id, in: state) {
        return try cancel(stored, in: state, work, keep)
      }
    }
    return .ended(try fate(of: item.id, work))
  }

  private func cancel(
    _ stored: StoredEntry,
    in state: EntryState,
    _ work: LockedSpool,
    _ keep: (any OctetSource) -> Bool
  ) throws(SpoolError) -> Cancellation {
    let id = stored.entry.id
    guard case .send(let sending) = stored.entry.action, let message = stored.message else {
      return .noMessage
    }
    let progress = Progress(stored.entry.action, try work.spool.log(of: id))
    if progress.isAccepted, progress.open.isEmpty { return .ended(.done) }
    guard !id.isSplitOff, !progress.isAccepted, progress.splits == 0 else { return .othersHaveIt }
    guard progress.uncertain.isEmpty else { return .mayBeSent }
    // Else a crash came after it was kept.
    if !progress.isCancelled {
      let hidden = sending.blindCopies.map { [UInt8]("Bcc: ".utf8) + $0 + [0x0A] } ?? []
      guard keep(JoinedOctets([hidden, message])) else { return .notKept }
      try work.note(.cancelled, of: id, now: Clock.now())
    }
    try work.retire(id, from: state, keepingLog: true)
    try work.settle()
    return .done
  }
}
