internal import Configuration
internal import Octets
internal import Platform
internal import SMTP
internal import Sendmail
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
    guard let given = try scan(message, numbers, log) else { return true }
    let plain = headerInASCII(message, given)
    // What is left waits for the next run, or for one that has more time.
    guard submitter?.dialer.budget?.isUsedUp != true else { return false }
    guard let connection = try usableConnection() else { return false }
    let alike = sending.envelope.alike(numbers, plain.facts, for: connection.extensions)
    let batch = batch(of: alike, stored.entry.id, connection)
    let envelope = sending.limited(to: batch).envelope
      .fit(for: connection.extensions, InternationalDomain.asciiForm)
    // Who is reached by SMTPUTF8 alone gets the header as it is, if it is one for that.
    let isKept = envelope.isInternational && given.isHeaderUTF8
    let chosen = isKept ? (message: message, facts: given) : plain
    let form = form(of: chosen.message, chosen.facts, for: connection)
    offered[stored.entry.id, default: []].formUnion(batch)
    let delivery = connection.deliver(form.message, form.facts, to: envelope) {
      (accepted) throws(SpoolError) in
      let lines = log.records.count
      try lock.change { (work) throws(SpoolError) in
        try work.checkUnchanged(lock.id, in: .queue, lines)
        try log.append(.sending(accepted.map { batch[$0] }), now: Clock.now())
      }
    }
    switch delivery {
    case .impossible(let error):
      try log.append(refusal(error, batch, envelope), now: Clock.now())
      return true
    case .attempted(let attempt):
      // It is another program's business now.
      if case .spool(let error) = attempt.failure, error.isOfAnotherProgram {
        hangUp()
        throw .noEntry(stored.entry.id)
      }
      let offered = OfferedBatch(stored: stored, batch: batch, envelope: envelope)
      return try finishAttempt(attempt, offered, progress, log, over: connection)
    }
  }

  /// What is offered to the server at once: a message, for the recipients with these numbers.
  private struct OfferedBatch {
    let stored: StoredEntry
    let batch: [Int]
    let envelope: Envelope
  }

  /// What the message is like; nil where it cannot be sent at all, which is noted.
  private func scan(
    _ message: any OctetSource,
    _ numbers: [Int],
    _ log: EntryLog
  ) throws(SpoolError) -> MessageFacts? {
    do throws(MessageError) {
      return try MessageScanner.scan(message)
    } catch {
      if case .unreadable(let problem) = error { throw .message(problem) }
      try log.append(
        .refused(numbers, [UInt8]("cannot be sent: \(ProtocolWords.text(error))".utf8)),
        now: Clock.now()
      )
      return nil
    }
  }

  /// The recipients for whom the message is offered at once.
  private func batch(
    of numbers: [Int],
    _ id: EntryID,
    _ connection: SubmissionConnection
  ) -> [Int] {
    let limit =
      singly.contains(id) ? 1 : connection.extensions.recipientLimit ?? options.recipientLimit
    return Array(numbers.prefix(max(1, limit)))
  }

  /// The message with a header of ASCII alone, as far as that can be made: no server on the way needs SMTPUTF8 for it then.
  private func headerInASCII(
    _ message: any OctetSource,
    _ facts: MessageFacts
  ) -> (message: any OctetSource, facts: MessageFacts) {
    guard facts.hasEightBitHeader,
      let other = (try? Letter(message))?.withASCIIHeader(InternationalDomain.asciiForm),
      let found = try? MessageScanner.scan(other)
    else { return (message, facts) }
    return (other, found)
  }

  /// The message as the server takes it: in seven bits, if it can be, where there is no 8BITMIME.
  private func form(
    of message: any OctetSource,
    _ facts: MessageFacts,
    for connection: SubmissionConnection
  ) -> (message: any OctetSource, facts: MessageFacts) {
    guard facts.hasEightBits, !connection.extensions.hasEightBitMIME,
      let other = (try? Letter(message).inSevenBits()) ?? nil,
      let found = try? MessageScanner.scan(other)
    else { return (message, facts) }
    return (other, found)
  }

  /// Records the outcome of an attempt, and decides how the run goes on; gives what `send` gives.
  private func finishAttempt(
    _ attempt: DeliveryAttempt,
    _ offered: OfferedBatch,
    _ progress: Progress,
    _ log: EntryLog,
    over connection: SubmissionConnection
  ) throws(SpoolError) -> Bool {
    let (id, batch) = (offered.stored.entry.id, offered.batch)
    // A connection that was closed while it was idle says nothing against this message, nor do replies that may have been
    // meant for the one before: it is offered anew.
    let isOutOfStep = connection.mayBeOutOfStep && attempt.reached == .envelope
    if connection.transactions > 1 && attempt.isUntouched || isOutOfStep {
      self.offered[id]?.subtract(batch)
      hangUp()
      return true
    }
    let attempts = batch.map { progress.attempts(of: $0) }.max() ?? 0
    let until = Clock.now() + options.schedule.delay(after: attempts + 1)
    // One recipient may be to blame: the others must not wait for it until it is too late for them.
    let isShared = attempt.reached == .envelope && attempt.isLoss && batch.count > 1
    try recordAttempt(attempt, until, batch, log, leavesUndecided: isShared)
    tell(attempt, offered)
    if isShared {
      self.offered[id]?.subtract(batch)
      singly.insert(id)
      hangUp()
      return true
    }
    guard let failure = attempt.failure else {
      (lost, previous) = (nil, nil)
      return true
    }
    if attempt.isOfMessage || attempt.isLoss && !isSecondLoss(id, batch.first) {
      hangUp()
      return true
    }
    return try stop(failure)
  }

  /// Whether a connection was lost over something else right before: one message alone says nothing of the account.
  private func isSecondLoss(_ id: EntryID, _ recipient: Int?) -> Bool {
    let offer = Offer(entry: id, recipient: recipient)
    defer { lost = offer }
    return lost.map { $0 != offer } ?? false
  }

  private func tell(_ attempt: DeliveryAttempt, _ offered: OfferedBatch) {
    let report = AttemptReport(
      entry: offered.stored.entry,
      server: submitter?.server ?? "",
      envelope: offered.envelope,
      size: offered.stored.message?.count ?? 0,
      outcomes: attempt.outcome.recipients,
      lacking: attempt.lacking
    )
    self.report(.attempted(report))
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

  /// Makes the answers of the server durable, before anything else is said to it.
  private func recordAttempt(
    _ attempt: DeliveryAttempt,
    _ until: Int64,
    _ batch: [Int],
    _ log: EntryLog,
    leavesUndecided: Bool
  ) throws(SpoolError) {
    var gathered = RecipientFacts(attempt, until: until, leavesUndecided: leavesUndecided)
    for (number, outcome) in zip(batch, attempt.outcome.recipients) {
      gathered.add(number, outcome)
    }
    if attempt.outcome.recipients.contains(where: \.isAccepted) { result.sent += 1 }
    try log.append(answers: gathered.facts, now: Clock.now())
  }

  private func usableConnection() throws(SpoolError) -> SubmissionConnection? {
    if let connection, connection.isUsable() { return connection }
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

  private func unblock() throws(SpoolError) {
    result.block = nil
    guard let block = try spool.block() else { return }
    previous = block
    try spool.recordBlock(nil)
  }

  /// Notes what is in the way; `false`, since nothing more is sent in this run.
  private func stop(_ failure: SubmissionFailure) throws(SpoolError) -> Bool {
    hangUp()
    if case .spool(let error) = failure { throw error }
    isStopped = true
    result.failure = failure
    guard let submitter, let reason = failure.reason else { return false }
    let words = [UInt8](FailureText.text(failure).utf8)
    let (now, digest) = (Clock.now(), submitter.sender.digest)
    let old = try spool.block() ?? previous
    // An attempt out of turn, for what was handed in just now, must not make all others wait longer.
    let block =
      if let old, !options.isForced, old.reason == reason,
        old.holds(now: now, digest: digest, options.schedule)
      {
        old.retold(words)
      } else {
        SendingBlock(
          reason,
          words: words,
          digest: digest,
          now: now,
          after: old,
          options.schedule,
          lifetime: failure.refusalLifetime
        )
      }
    try spool.recordBlock(block)
    result.block = block
    report(.blocked(block, failure))
    return false
  }
}

extension RecipientOutcome {
  /// Whether the server answers for the message.
  package var isAccepted: Bool {
    if case .accepted = self { true } else { false }
  }
}

extension SpoolError {
  /// Whether another program took the entry away, or changed it.
  fileprivate var isOfAnotherProgram: Bool {
    switch self {
    case .noEntry, .entryBusy: true
    default: false
    }
  }
}
