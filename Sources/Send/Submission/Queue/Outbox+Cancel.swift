package import Octets
internal import Platform
internal import Sendmail
internal import SMTP
package import Spool
package import SpoolPlan

/// What came of taking a message back before it is sent.
package enum Cancellation: Sendable {
  /// It is out of the queue, and kept.
  case done
  /// It could not be kept, and is where it was.
  case notKept
  /// The entry asks for something else than to send a message.
  case noMessage
  /// It is sent on, by fields that a draft does not have: that would go to others.
  case sentOn
  /// Its fields name this one, to whom it is not sent: a draft would be.
  case namesOthers([UInt8])
  /// Recipients have it, or an entry of their own.
  case othersHaveIt
  /// The server did not answer the end of the message.
  case mayBeSent
  /// It is no longer waiting.
  case ended(EntryOutcome)
}

/// A draft that is written, and not yet among the others.
package struct WrittenDraft {
  /// What it can be found by.
  package let name: [UInt8]

  /// Puts it among the others, durably; gives whether it is there, `nil` where that is unknown.
  package let keep: () -> Bool?

  package init(name: [UInt8], keep: @escaping () -> Bool?) {
    (self.name, self.keep) = (name, keep)
  }
}

extension Outbox {
  /// Takes a message that no recipient has away, once a copy of it is kept.
  ///
  /// It is decided under the lock of the entry, so that no server is offered the message meanwhile. The decision not to send it
  /// is durable before the copy can be seen, and the copy before the entry goes. After a crash it is sent, or it is kept and
  /// not sent. Where it is unknown whether the copy is there, the entry needs a person.
  /// - Parameters:
  ///   - item: the entry.
  ///   - write: writes the message as a draft, with a Bcc of those whom it does not name; gets the name of one that was about to
  ///     be kept when an attempt was cut short. Gives `nil` where it cannot be written.
  /// - Returns: whether it was taken back, and why not.
  /// - Throws: `busy`.
  package func cancel(
    _ item: QueuedItem,
    write: (_ message: any OctetSource, _ begun: [UInt8]?) -> WrittenDraft?
  ) throws(SpoolError) -> Cancellation {
    do throws(SpoolError) {
      let lock = try locked(item)
      // It may have moved on while we waited.
      if let (stored, state) = try wanted(item) {
        return try cancel(stored, in: state, lock, write)
      }
    } catch {
      guard case .noEntry = error else { throw error }
    }
    return .ended(try outcome(of: item.id, in: item.spool.account))
  }

  private func cancel(
    _ stored: StoredEntry,
    in state: EntryState,
    _ lock: EntryLock,
    _ write: (any OctetSource, [UInt8]?) -> WrittenDraft?
  ) throws(SpoolError) -> Cancellation {
    let id = stored.entry.id
    guard case .send(let sending) = stored.entry.action, let message = stored.message else {
      return .noMessage
    }
    let log = try lock.openLog().records
    let progress = Progress(stored.entry.action, log)
    if progress.isAccepted, progress.open.isEmpty { return .ended(.done) }
    guard !id.isSplitOff, !progress.isAccepted, progress.splits == 0 else { return .othersHaveIt }
    guard !progress.mayBeTaken else { return .mayBeSent }
    // Else a crash came after it was kept.
    if !progress.isCancelled {
      guard let letter = try? Letter(message) else { return .notKept }
      guard !letter.isResent else { return .sentOn }
      let recipients = sending.envelope.recipients
      if let other = letter.firstNamed(besides: recipients, hidden: sending.blindCopies) {
        return .namesOthers(other)
      }
      let copy = JoinedOctets([hiddenRecipients(of: sending, letter), message])
      guard let draft = write(copy, progress.begunDraft) else { return .notKept }
      try lock.change { (work) throws(SpoolError) in
        try work.checkUnchanged(id, in: state, log.count)
        try work.recordFact(.cancelling(draft.name), of: id, now: Clock.now())
      }
      let isKept = draft.keep()
      if isKept == false { try lock.recordFact(.uncancelled, now: Clock.now()) }
      guard isKept == true else { return .notKept }
      try lock.recordFact(.cancelled, now: Clock.now())
    }
    try lock.change { (work) throws(SpoolError) in
      try work.retire(id, from: try work.state(of: id) ?? state, keepingLog: true)
      try work.removeRetiredLogs()
    }
    return .done
  }

  /// The Bcc field that the message had, with the recipients whom no field names; empty where there are none.
  private func hiddenRecipients(of sending: Sending, _ letter: Letter) -> [UInt8] {
    let hidden = sending.blindCopies
    let others = letter.unnamed(among: sending.envelope.recipients, hidden: hidden).map(\.octets)
    let all = (hidden.map { [$0] } ?? []) + others
    guard !all.isEmpty else { return [] }
    return [UInt8]("Bcc: ".utf8) + all.joined(separator: [UInt8](",\n ".utf8)) + [ASCII.lineFeed]
  }
}

/// What became of an entry.
package enum EntryOutcome: Sendable {
  /// It is in one of the states, or a newer version of it is.
  case present(QueuedItem)
  /// A person took it back as a draft.
  case cancelled
  /// All that it asks for is done.
  case done
}

extension Outbox {
  /// Seconds to wait for who works on a queue, to be sure that an entry is not there.
  private static let glance = 1.0

  /// What became of an entry, or of the version that took its place.
  ///
  /// - Parameters:
  ///   - id: the entry; it was in the queue of the account less than a day ago.
  ///   - account: the account.
  /// - Returns: what can be said of it.
  /// - Throws: `SpoolError` where the spool cannot be read.
  package func outcome(of id: EntryID, in account: String) throws(SpoolError) -> EntryOutcome {
    if let item = try item(id, of: [account], in: EntryState.allCases) { return .present(item) }
    // It may have been on its way from one state to another. Programs of before have the lock for long; they take it forward
    // only, as it was looked for.
    let work = try LockedSpool.acquire(spool(of: account), timeout: Self.glance)
    defer { withExtendedLifetime(work) {} }
    return try lastOutcome(of: id, in: spool(of: account))
  }

  private func lastOutcome(of id: EntryID, in spool: Spool) throws(SpoolError) -> EntryOutcome {
    if let item = try item(id, of: [spool.account], in: EntryState.allCases) {
      return .present(item)
    }
    switch try spool.log(of: id).last?.fact {
    case .cancelled: return .cancelled
    case .replaced(let new): return try lastOutcome(of: new, in: spool)
    default: return .done
    }
  }
}
