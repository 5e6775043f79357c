internal import Configuration
internal import Octets
internal import Platform
internal import SMTP
internal import Spool
internal import SpoolPlan

// What a server has answered.
extension QueueRun {
  /// Notes what came of an attempt, and decides how the run goes on; gives what `send` gives.
  func finishAttempt(
    _ attempt: DeliveryAttempt,
    _ ready: ReadyEntry,
    _ log: EntryLog,
    over connection: SubmissionConnection
  ) throws(SpoolError) -> Bool {
    let (id, batch) = (ready.id, ready.batch)
    // A connection that was closed while it was idle says nothing against this message, nor do replies that may have been
    // meant for the one before, nor a server that throws away what comes behind the end of one: it is offered anew.
    let isOutOfStep = connection.mayBeOutOfStep && attempt.reached == .envelope
    if connection.transactions > 1 && attempt.isUntouched || isOutOfStep || attempt.isUnheard {
      if attempt.isUnheard { learn(from: connection, isUnheard: true) }
      offered[id]?.subtract(batch)
      hangUp()
      return true
    }
    // One recipient may be to blame: the others must not wait for it until it is too late for them.
    let isShared = attempt.reached == .envelope && attempt.isLoss && batch.count > 1
    try log.append(
      answers: facts(of: attempt, ready, leavesUndecided: isShared),
      now: Clock.now()
    )
    tell(attempt, ready)
    if isShared {
      offered[id]?.subtract(batch)
      singly.insert(id)
      hangUp()
      return true
    }
    guard let failure = attempt.failure else {
      (lost, previous) = (nil, nil)
      return true
    }
    return try goOn(after: failure, attempt, id, batch.first)
  }

  /// Decides how the run goes on after a connection has failed over a message; gives what `send` gives.
  func goOn(
    after failure: SubmissionFailure,
    _ attempt: DeliveryAttempt,
    _ id: EntryID,
    _ recipient: Int?
  ) throws(SpoolError) -> Bool {
    if attempt.isOfMessage || attempt.isLoss && !isSecondLoss(id, recipient) {
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

  /// Reports an attempt, and counts what was taken.
  func tell(_ attempt: DeliveryAttempt, _ ready: ReadyEntry) {
    if attempt.outcome.recipients.contains(where: \.isAccepted) { result.sent += 1 }
    let report = AttemptReport(
      entry: ready.stored.entry,
      server: submitter?.server ?? "",
      envelope: ready.offered.envelope,
      size: ready.stored.message?.count ?? 0,
      outcomes: attempt.outcome.recipients.map { AttemptReport.Outcome($0) },
      lacking: attempt.lacking
    )
    self.report(.attempted(report))
  }

  /// What is noted of an attempt, before anything else is said to the server.
  func facts(
    of attempt: DeliveryAttempt,
    _ ready: ReadyEntry,
    leavesUndecided: Bool = false
  ) -> [LogFact] {
    let attempts = ready.batch.map { ready.progress.attempts(of: $0) }.max() ?? 0
    let until = Clock.now() + options.schedule.delay(after: attempts + 1)
    var gathered = RecipientFacts(attempt, until: until, leavesUndecided: leavesUndecided)
    for (number, outcome) in zip(ready.batch, attempt.outcome.recipients) {
      gathered.add(number, outcome)
    }
    return gathered.facts
  }

  /// Notes what is in the way; `false`, since nothing more is sent in this run.
  func stop(_ failure: SubmissionFailure) throws(SpoolError) -> Bool {
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
  var isOfAnotherProgram: Bool {
    switch self {
    case .noEntry, .entryBusy: true
    default: false
    }
  }
}
