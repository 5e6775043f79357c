internal import Configuration
package import Platform
internal import SMTP
internal import Sendmail
package import Spool
internal import SpoolPlan

/// One run over the queue of an account: everything that is due is done, until nothing is.
///
/// The order of writes is what keeps mail from being lost or doubled:
/// 1. `sending` is durable in the log before the end of a message is sent.
/// 2. The server's answer is durable in the log before anything else is said or done.
/// 3. The entry of those who were refused is durable before their own is done with.
/// 4. An entry leaves the queue when no recipient and no step is open, its log after it.
///
/// Between the final dot and 2. lies the one window in which a crash makes a second message.
package final class QueueRun {
  private let spool: Spool
  private let submitter: Submitter?
  private let options: QueueOptions
  private let interruption: Interruption
  private let report: (QueueEvent) -> Void
  private var performer: (any StepPerformer)?

  private var connection: SubmissionConnection?
  private var result = QueueReport()

  /// Whether nothing more can be sent in this run.
  private var isStopped = false

  /// Entries that were offered to the server in this run: even a person waits after that.
  private var tried: Set<EntryID> = []

  /// Entries that there is nothing more to do for in this run.
  private var settled: Set<EntryID> = []

  /// Messages that were refused for now in an earlier run: they wait until all others had their turn in this one.
  private var late: Set<EntryID> = []

  /// Messages that are offered for one recipient at a time: at one of theirs the server hung up.
  private var singly: Set<EntryID> = []

  /// What was under way when the connection was lost last: a message, and the first recipient that it was offered for;
  /// `nil` once a server has served one to its end.
  private var lost: Offer?

  private struct Offer: Equatable {
    let entry: EntryID
    let recipient: Int?
  }

  /// What was in the way before this run connected; `nil` for nothing, and once a server has served a message.
  private var previous: AccountBlock?

  /// Read when the first entry for a message of the server comes.
  private var claims: MessageClaims?

  /// A run.
  ///
  /// - Parameters:
  ///   - spool: the account's spool, prepared.
  ///   - submitter: sends; without one, for an account that only has mailboxes, what is to be sent stays.
  ///   - options: how it is worked on.
  ///   - performer: does the work on the IMAP server; without one that is left for later.
  ///   - interruption: ends the run between two messages.
  ///   - report: is told what happens.
  package init(
    _ spool: Spool,
    _ submitter: Submitter?,
    options: QueueOptions = QueueOptions(),
    performer: (any StepPerformer)? = nil,
    interruption: Interruption,
    report: @escaping (QueueEvent) -> Void
  ) {
    self.spool = spool
    self.submitter = submitter
    self.options = options
    self.performer = performer
    self.interruption = interruption
    self.report = report
  }

  /// Works on the queue, and says how it stands then.
  ///
  /// - Throws: `SpoolError` when the spool cannot be worked on; what was done stays done.
  package func run() throws(SpoolError) -> QueueReport {
    defer { hangUp() }
    var isFirst = true
    repeat {
      guard let work = try LockedSpool.acquire(spool) else {
        result.ending = .busy
        break
      }
      if isFirst { try begin(work) }
      isFirst = false
      try drain(work)
      try work.settle()
      // Whoever added an entry since the last look has found the lock taken, and gone.
    } while try hasNew()
    if interruption.isRequested { result.ending = .interrupted }
    result.waiting = try spool.entries(.queue).count
    return result
  }

  private func begin(_ work: LockedSpool) throws(SpoolError) {
    try work.tidy()
    guard let submitter, let block = try spool.block(), !options.isForced,
      block.holds(now: Clock.now(), digest: submitter.sender.digest)
    else { return }
    // What was handed in just now earns an attempt, unless a person is needed.
    if options.fresh != nil, block.reason == .unreachable { return }
    result.block = block
    isStopped = true
    report(.blocked(block, nil))
  }

  private func drain(_ work: LockedSpool) throws(SpoolError) {
    while true {
      let due = try candidates()
      guard !due.isEmpty else { return }
      for id in due {
        try takeFresh(among: due, work)
        guard !interruption.isRequested else { return }
        guard !settled.contains(id), !isLate(id) else { continue }
        settled.insert(id)
        try take(id, work)
      }
      try work.settle()
    }
  }

  /// Where a connection was lost, the message handed in just now is the next one, so that older ones never keep it from
  /// its attempt.
  private func takeFresh(among due: [EntryID], _ work: LockedSpool) throws(SpoolError) {
    guard lost != nil, let id = options.fresh, due.contains(id), !interruption.isRequested,
      settled.insert(id).inserted
    else { return }
    try take(id, work)
  }

  /// Whether a message is to wait for those that no server has said anything against: two at which connections break off
  /// would else be the first of each run, and the last.
  ///
  /// Asked again it is not.
  private func isLate(_ id: EntryID) -> Bool {
    guard !late.contains(id) else { return false }
    // A log that nobody understands is told of where the entry is worked on.
    guard let log = try? spool.log(of: id), log.contains(where: \.fact.isRefusalForNow) else {
      return false
    }
    late.insert(id)
    return true
  }

  private func hasNew() throws(SpoolError) -> Bool {
    guard !interruption.isRequested else { return false }
    return try !candidates().isEmpty
  }

  private func candidates() throws(SpoolError) -> [EntryID] {
    try spool.entries(.queue).filter { id in
      !settled.contains(id) && options.only?.contains(id) != false
    }
  }

  private func hangUp() {
    connection?.close()
    connection = nil
  }
}

// One entry.
extension QueueRun {
  /// Does all that can be done for an entry now.
  private func take(_ id: EntryID, _ work: LockedSpool) throws(SpoolError) {
    do throws(SpoolError) {
      // Gone: somebody withdrew it.
      guard let stored = try spool.load(id, in: .queue) else { return }
      // Somebody has put it, or the whole queue, where another account's is.
      guard stored.entry.account.utf8.elementsEqual(spool.account.utf8) else {
        throw .entry(id, .otherAccount(stored.entry.account))
      }
      guard try !isHeld(stored.entry) else { return }
      try advance(stored, try work.openLog(of: id), work)
      if stored.entry.action.message != nil { claims?.add(id, spool) }
    } catch {
      switch error {
      case _ where error.isOfOneFile: leave(id, error)
      case .entry(_, .unknownVersion), .log: leave(id, error)
      case .entry(_, let problem): try setAside(id, problem, work)
      default: throw error
      }
    }
  }

  private func leave(_ id: EntryID, _ error: SpoolError) {
    result.unreadable.append((id, error))
    report(.unreadable(id, error))
  }

  /// Whether an entry for the same message of the server is to be done before.
  private func isHeld(_ entry: Entry) throws(SpoolError) -> Bool {
    guard let message = entry.action.message else { return false }
    if claims == nil { claims = try MessageClaims(spool) }
    return claims?.isHeld(message, entry.id) ?? false
  }

  /// A damaged entry is never sent.
  private func setAside(
    _ id: EntryID,
    _ problem: EntryError,
    _ work: LockedSpool
  ) throws(SpoolError) {
    let words = [UInt8](EntryWords.text(problem).utf8)
    try work.note(.failed(words), of: id, now: Clock.now())
    try fail(id, words, work)
  }

  private func fail(_ id: EntryID, _ words: [UInt8], _ work: LockedSpool) throws(SpoolError) {
    try work.move(id, from: .queue, to: .failed)
    result.failed.append(id)
    report(.failed(id, words))
  }

  private func advance(
    _ stored: StoredEntry,
    _ log: EntryLog,
    _ work: LockedSpool
  ) throws(SpoolError) {
    let id = stored.entry.id
    while true {
      let now = Clock.now()
      let progress = Progress(stored.entry.action, log.records, options.schedule)
      switch next(id, progress, now) {
      case .send(let numbers):
        guard try send(stored, numbers, progress, log) else { return }
      case .perform:
        guard try perform(stored, progress, log) else { return }
      case .split(let numbers):
        try work.split(stored, numbers, progress, now: now)
        if let child = id.child(progress.splits + 1) {
          result.failed.append(child)
          report(.failed(child, progress.lastWords ?? []))
        }
        // The log was written on by another hand.
        return try advance(stored, try work.openLog(of: id), work)
      case .giveUp(let numbers, let words): try log.append(.refused(numbers, words), now: now)
      case .fail: return try fail(id, progress.failure ?? progress.lastWords ?? [], work)
      case .hold(let words):
        try log.append(.held(words), now: now)
        try work.move(id, from: .queue, to: .hold)
        return report(.held(id, words))
      case .wait: return
      case .finish:
        try work.retire(id, from: .queue)
        return report(.finished(id))
      }
    }
  }

  /// What is to be done; a person does not wait.
  private func next(_ id: EntryID, _ progress: Progress, _ now: Int64) -> NextStep {
    let step = progress.next(now: now, options.schedule)
    guard options.isForced, !tried.contains(id), case .wait(let until) = step, !isStopped else {
      return step
    }
    return progress.next(now: until, options.schedule)
  }

  /// Does the work on the IMAP server; `false` when it is not done and others may do it later.
  private func perform(
    _ stored: StoredEntry,
    _ progress: Progress,
    _ log: EntryLog
  ) throws(SpoolError) -> Bool {
    guard var performer else { return false }
    var begun: [UInt8]?
    if case .open(let note) = progress.step { begun = note }
    let result = try performer.perform(stored, begun: begun, attempts: progress.stepAttempts) {
      (note) throws(SpoolError) in
      try log.append(.copying(note), now: Clock.now())
    }
    self.performer = performer
    let now = Clock.now()
    switch result {
    case .done(let note): try log.append(.done(note), now: now)
    case .rejected(let words): try log.append(.rejected(words), now: now)
    case .postponed(let words):
      let until = now + options.schedule.delay(after: progress.stepAttempts + 1)
      try log.append(.postponed(until: until, words), now: now)
      return false
    case .left: return false
    case .unreachable:
      self.performer = nil
      return false
    }
    return true
  }
}

// Sending.
extension QueueRun {
  /// Offers a message to the server; `false` when there is nothing more to do for it in this run.
  private func send(
    _ stored: StoredEntry,
    _ numbers: [Int],
    _ progress: Progress,
    _ log: EntryLog
  ) throws(SpoolError) -> Bool {
    guard case .send(let sending) = stored.entry.action, var message = stored.message else {
      return false
    }
    let nameless = numbers.filter { !sending.envelope.recipients[$0].address.hasDomain }
    guard nameless.isEmpty else {
      try log.append(.refused(nameless, [UInt8]("no alias for this name".utf8)), now: Clock.now())
      return true
    }
    var facts: MessageFacts
    do throws(MessageError) {
      facts = try MessageScanner.scan(message)
    } catch {
      try log.append(
        .refused(numbers, [UInt8]("cannot be sent: \(ProtocolWords.text(error))".utf8)),
        now: Clock.now()
      )
      return true
    }
    guard let connection = try usableConnection() else { return false }
    if facts.hasEightBits, !connection.extensions.hasEightBitMIME,
      let other = (try? Letter(message))?.inSevenBits(),
      let found = try? MessageScanner.scan(other)
    {
      (message, facts) = (other, found)
    }
    let limit =
      singly.contains(stored.entry.id)
      ? 1 : connection.extensions.recipientLimit ?? options.recipientLimit
    let batch = Array(numbers.prefix(max(1, limit)))
    let envelope = sending.limited(to: batch).envelope
      .fit(for: connection.extensions, InternationalDomain.asciiForm)
    tried.insert(stored.entry.id)
    let delivery = connection.deliver(message, facts, to: envelope) {
      (accepted) throws(SpoolError) in
      try log.append(.sending(accepted.map { batch[$0] }), now: Clock.now())
    }
    switch delivery {
    case .impossible(let error):
      try log.append(refusal(error, batch, envelope), now: Clock.now())
      return true
    case .attempted(let trial):
      // A server that got tired of waiting for this message has nothing against it.
      if connection.transactions > 1, trial.isUntouched {
        hangUp()
        return true
      }
      let attempts = batch.map { progress.attempts(of: $0) }.max() ?? 0
      let until = Clock.now() + options.schedule.delay(after: attempts + 1)
      // One recipient may be to blame: the others must not wait for him until it is too late for them.
      let isShared = trial.reached == .envelope && trial.isLoss && batch.count > 1
      try note(trial, until, batch, log, leavesUndecided: isShared)
      tell(trial, stored, envelope)
      if isShared {
        singly.insert(stored.entry.id)
        hangUp()
        return true
      }
      guard let failure = trial.failure else {
        (lost, previous) = (nil, nil)
        return true
      }
      if trial.isOfMessage || trial.isLoss && !isSecondLoss(stored.entry.id, batch.first) {
        hangUp()
        return true
      }
      return try stop(failure)
    }
  }

  /// Whether a connection was lost over something else right before: one message alone says nothing of the account.
  private func isSecondLoss(_ id: EntryID, _ recipient: Int?) -> Bool {
    let offer = Offer(entry: id, recipient: recipient)
    defer { lost = offer }
    return lost.map { $0 != offer } ?? false
  }

  private func tell(_ trial: Delivery.Trial, _ stored: StoredEntry, _ envelope: Envelope) {
    let attempt = Attempt(
      entry: stored.entry,
      server: submitter?.server ?? "",
      envelope: envelope,
      size: stored.message?.count ?? 0,
      fates: trial.outcome.fates,
      lacking: trial.lacking
    )
    report(.attempted(attempt))
  }

  /// What the server cannot be asked to take; of addresses only those that are to blame.
  private func refusal(_ error: EnvelopeError, _ batch: [Int], _ envelope: Envelope) -> LogFact {
    let words = [UInt8](EnvelopeWords.text(error).utf8)
    guard case .needsSMTPUTF8(let address) = error, address != envelope.reversePath else {
      return .refused(batch, words)
    }
    let blamed = batch.indices.filter { envelope.recipients[$0].address.isInternational }
    return .refused(blamed.map { batch[$0] }, words)
  }

  /// Makes the answers of the server durable, before anything else is said to it.
  private func note(
    _ trial: Delivery.Trial,
    _ until: Int64,
    _ batch: [Int],
    _ log: EntryLog,
    leavesUndecided: Bool
  ) throws(SpoolError) {
    var ledger = FateLedger(trial, until: until, leavesUndecided: leavesUndecided)
    for (number, fate) in zip(batch, trial.outcome.fates) { ledger.add(number, fate) }
    if trial.outcome.fates.contains(where: \.isAccepted) { result.sent += 1 }
    try log.append(ledger.facts, now: Clock.now())
  }

  private func usableConnection() throws(SpoolError) -> SubmissionConnection? {
    if let connection, connection.isUsable { return connection }
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
    do throws(SystemError) {
      try FileSystem.remove(spool.blockFile)
    } catch {
      guard error.isNotFound else { throw .system(error) }
    }
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
      if let old, !options.isForced, old.reason == reason, old.holds(now: now, digest: digest) {
        old.retold(words)
      } else {
        AccountBlock(reason, words: words, digest: digest, now: now, after: old, options.schedule)
      }
    do throws(SystemError) {
      try AtomicFile.replace(spool.blockFile, with: block.octets)
    } catch {
      throw .system(error)
    }
    result.block = block
    report(.blocked(block, failure))
    return false
  }
}

extension Fate {
  /// Whether the server answers for the message.
  package var isAccepted: Bool {
    if case .accepted = self { true } else { false }
  }
}
