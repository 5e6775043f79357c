internal import Configuration
internal import Octets
internal import Platform
internal import SMTP
internal import Spool
internal import SpoolPlan

// Sending.
extension QueueRun {
  /// Offers a message to the server; `false` when there is nothing more to do for it in this run.
  func send(
    _ stored: StoredEntry,
    _ numbers: [Int],
    _ progress: Progress,
    _ log: EntryLog,
    _ lock: EntryLock
  ) throws(SpoolError) -> Bool {
    guard case .send(let sending) = stored.entry.action, let message = stored.message else {
      return false
    }
    let nameless = numbers.filter { !sending.envelope.recipients[$0].address.hasDomain }
    guard nameless.isEmpty else {
      try log.append(.refused(nameless, [UInt8]("no alias for this name".utf8)), now: Clock.now())
      return true
    }
    if let ready = takeAhead(lock.id, numbers, log), let connection {
      return try send(ready, log, lock, over: connection)
    }
    guard let content = try content(of: message, numbers, log) else { return true }
    // What is left waits for the next run, or for one that has more time.
    guard submitter?.dialer.budget?.isUsedUp != true else { return false }
    if let submitter, case .program(let program) = submitter.sender.server {
      let ready = ReadyMessage(
        entry: stored.entry,
        sending: sending.limited(to: numbers),
        message: message,
        numbers: numbers,
        attempts: numbers.map { progress.attempts(of: $0) }.max() ?? 0
      )
      return try handOver(ready, to: program, of: submitter, log, lock)
    }
    guard let connection = try usableConnection() else { return false }
    let (batch, offered) = offer(content, of: sending, lock.id, numbers, over: connection)
    let ready = ReadyEntry(
      stored: stored,
      progress: progress,
      lines: log.records.count,
      numbers: numbers,
      batch: batch,
      offered: offered
    )
    return try send(ready, log, lock, over: connection)
  }

  private func send(
    _ ready: ReadyEntry,
    _ log: EntryLog,
    _ lock: EntryLock,
    over connection: SubmissionConnection
  ) throws(SpoolError) -> Bool {
    let (id, batch) = (ready.id, ready.batch)
    if !connection.hasAnnounced {
      let flight = flight(of: ready, log, lock, over: connection)
      guard flight.isEmpty else {
        try send(flight, over: connection)
        return true
      }
    }
    offered[id, default: []].formUnion(batch)
    let delivery = connection.deliver(
      ready.offered,
      announcing: { announcement(behind: ready, over: connection) },
      willEnd: { (accepted) throws(SpoolError) in
        try noteSending(accepted.map { batch[$0] }, log, lock)
      }
    )
    learn(from: connection)
    switch delivery {
    case .impossible(let error):
      try log.append(refusal(error, batch, ready.offered.envelope), now: Clock.now())
      return true
    case .attempted(let attempt):
      // It is another program's business now.
      if case .spool(let error) = attempt.failure, error.isOfAnotherProgram {
        hangUp()
        throw .noEntry(id)
      }
      return try finishAttempt(attempt, ready, log, over: connection)
    }
  }

  /// Makes durable that the end of the message is about to be sent for these recipients.
  func noteSending(
    _ numbers: [Int],
    _ log: EntryLog,
    _ lock: EntryLock
  ) throws(SpoolError) {
    try prepareLogs([(lock.id, log)])
    let lines = log.records.count
    try lock.change { (work) throws(SpoolError) in
      try work.checkUnchanged(lock.id, in: .queue, lines)
      try log.append(.sending(numbers), now: Clock.now())
    }
  }

  /// Sees to it that the names of logs are durable, and at once to those of entries that come next.
  func prepareLogs(_ logs: [(id: EntryID, log: EntryLog)]) throws(SpoolError) {
    let missing = logs.map(\.id).filter { !logged.contains($0) }
    if !missing.isEmpty {
      let others = upcoming.lazy.filter { !self.settled.contains($0) }.prefix(Self.logsAtOnce - 1)
      logged.formUnion(try spool.prepareLogs(of: missing + others))
    }
    for (id, log) in logs where logged.contains(id) { log.knowLastingName() }
  }

  /// How many logs are made at once.
  private static let logsAtOnce = 64

  /// What is known of the message; nil where it cannot be sent at all, which is noted.
  private func content(
    of message: any OctetSource,
    _ numbers: [Int],
    _ log: EntryLog
  ) throws(SpoolError) -> Content? {
    do throws(MessageError) {
      return try Content(message)
    } catch {
      if case .unreadable(let problem) = error { throw .message(problem) }
      try log.append(
        .refused(numbers, [UInt8]("cannot be sent: \(ProtocolWords.text(error))".utf8)),
        now: Clock.now()
      )
      return nil
    }
  }

  /// What the server cannot be asked to take; of addresses only those that are to blame.
  private func refusal(_ error: EnvelopeError, _ batch: [Int], _ envelope: Envelope) -> LogFact {
    let words = [UInt8](EnvelopeWords.text(error).utf8)
    let address: EnvelopeAddress? =
      switch error {
      case .needsSMTPUTF8(let address), .headerNotUTF8(let address): address
      case .noRecipients, .tooManyRecipients, .tooLarge: nil
      }
    guard let address, address != envelope.reversePath else { return .refused(batch, words) }
    let blamed = batch.indices.filter { envelope.recipients[$0].address.isInternational }
    return .refused(blamed.map { batch[$0] }, words)
  }
}

// The message that comes next.
extension QueueRun {
  /// The message whose commands go behind the end of this one; `nil` for none.
  private func announcement(
    behind ready: ReadyEntry,
    over connection: SubmissionConnection
  ) -> OfferedMessage? {
    let rules = rules(over: connection, behind: ready.batch.count)
    guard ready.isWhole, rules.announces, let next = readyEntry(over: connection) else {
      return nil
    }
    // It goes with others once this one is answered.
    if rules.flightLimit > 1, Self.isFit(next, rules) { return nil }
    ahead = next
    return next.offered
  }

  /// What was announced to the server, or found out, of an entry whose turn it is; `nil` where that no longer holds.
  private func takeAhead(_ id: EntryID, _ numbers: [Int], _ log: EntryLog) -> ReadyEntry? {
    guard let connection, let ready = ahead else { return nil }
    let isTrue = ready.id == id && ready.numbers == numbers && ready.lines == log.records.count
    ahead = nil
    guard connection.hasAnnounced else { return nil }
    if isTrue, connection.isExpectingAnnounced() { return ready }
    // The server waits for a message that does not come, or has hung up: only another connection is of use.
    if isTrue { learn(from: connection, isUnheard: !connection.isAnnouncementAnswered) }
    hangUp()
    return nil
  }

  func learn(from connection: SubmissionConnection, isUnheard: Bool = false) {
    if connection.keepsStep {
      if experience == .none { experience = .kept }
    } else if isUnheard {
      experience = .broken
    }
  }

  private func usableConnection() throws(SpoolError) -> SubmissionConnection? {
    // Where it was announced something else, it waits for that.
    if let connection, !connection.hasAnnounced, connection.isUsable() { return connection }
    hangUp()
    guard let submitter, !isStopped else { return nil }
    do throws(SubmissionFailure) {
      let connection = try submitter.dialer.connect()
      self.connection = connection
    } catch {
      _ = try stop(error)
      return nil
    }
    try unblock()
    return connection
  }

  func unblock() throws(SpoolError) {
    result.block = nil
    guard let block = try spool.block() else { return }
    previous = block
    try spool.recordBlock(nil)
  }
}
