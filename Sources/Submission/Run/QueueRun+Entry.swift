internal import MailModel
internal import Platform
internal import Spool
internal import SpoolPlan

// One entry.
extension QueueRun {
  /// Does all that can be done for an entry now.
  func take(_ id: EntryID, _ work: LockedSpool) throws(SpoolError) {
    do throws(SpoolError) {
      // Gone: it was withdrawn.
      guard let stored = try spool.load(id, in: .queue) else { return }
      // It, or the whole queue, was put where another account's is.
      guard stored.entry.account.utf8.elementsEqual(spool.account.utf8) else {
        throw .entry(id, .otherAccount(stored.entry.account))
      }
      let isChange = !stored.entry.action.requests.isEmpty
      if isChange, claims == nil { claims = try MessageClaims(spool) }
      try advance(stored, try work.openLog(of: id), work)
      if isChange { claims?.add(id, spool) }
    } catch {
      switch error {
      case _ where error.isOfOneFile: leave(id, error)
      case .entry(_, .unknownVersion), .log: leave(id, error)
      case .entry(_, let problem): try setAside(id, problem, work)
      case .system, .foreignOwner, .openToOthers, .notADirectory, .notAFile, .tooLong,
        .lockUnsupported, .busy, .noEntry, .message:
        throw error
      }
    }
  }

  private func leave(_ id: EntryID, _ error: SpoolError) {
    result.unreadable.append((id, error))
    report(.unreadable(id, error))
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
    var attempted: Set<Int> = []
    while true {
      let now = Clock.now()
      let progress = Progress(stored.entry.action, log.records, options.schedule)
      switch next(id, progress, now) {
      case .send where !progress.cutShort.isEmpty:
        // Said now: what a server answers to the next attempt is no answer to this one.
        let words = [UInt8]("the attempt was cut short".utf8)
        try log.append(.unanswered(progress.cutShort, until: now, words), now: now)
      case .send(let numbers):
        guard try send(stored, numbers, progress, log) else { return }
      case .perform(let numbers):
        guard try perform(numbers, of: stored, progress, log, &attempted) else { return }
      case .split(let numbers):
        guard let part = try work.split(stored, numbers, progress, to: .failed, now: now) else {
          return try fail(id, progress.lastWords ?? [], work)
        }
        result.failed.append(part.id)
        report(.failed(part.id, progress.lastWords ?? []))
        // The log was written on through another value.
        return try advance(stored, try work.openLog(of: id), work)
      case .giveUp(let numbers, let words): try log.append(.refused(numbers, words), now: now)
      case .fail where progress.isSentWithoutCopy:
        try work.move(id, from: .queue, to: .failed)
        return result.uncopied.append(id)
      case .fail: return try fail(id, progress.failure ?? progress.lastWords ?? [], work)
      case .hold(let words):
        try log.append(.held(words), now: now)
        try work.move(id, from: .queue, to: .hold)
        return report(.held(id, words))
      case .wait: return
      case .finish:
        try work.retire(id, from: .queue, keepingLog: progress.isCancelled)
        return report(.finished(id))
      }
    }
  }

  /// What is to be done; a person does not wait, but for the moment that the message was given for.
  private func next(_ id: EntryID, _ progress: Progress, _ now: Int64) -> NextStep {
    let step = progress.next(now: now, options.schedule)
    guard options.isForced, case .wait(let until) = step, !isStopped else { return step }
    if let scheduled = progress.scheduled, now < scheduled { return step }
    guard let offered = self.offered[id] else { return progress.next(now: until, options.schedule) }
    let left = progress.open.filter { !offered.contains($0) }
    return left.isEmpty ? step : .send(left)
  }

  /// Takes steps on the IMAP server, each once in a run; `false` when there are none that can be taken now.
  private func perform(
    _ numbers: [Int],
    of stored: StoredEntry,
    _ progress: Progress,
    _ log: EntryLog,
    _ attempted: inout Set<Int>
  ) throws(SpoolError) -> Bool {
    // A person does not wait.
    let due = options.isForced ? progress.readySteps : numbers
    let free = due.filter { !attempted.contains($0) && !isHeld(stored.entry, $0) }
    guard var performer, !free.isEmpty else { return false }
    attempted.formUnion(free)
    let steps = free.map { number in
      let step = progress.steps[number]
      return DueStep(number: number, begun: step.note, attempts: step.attempts)
    }
    let ledger = StepLedger(log, options.schedule)
    try performer.perform(steps, of: stored, ledger)
    self.performer = ledger.isUnreachable ? nil : performer
    return true
  }

  /// Whether an entry for the same message of the server is to be done before a step of this one.
  private func isHeld(_ entry: Entry, _ number: Int) -> Bool {
    guard let claims, case .change(let requests) = entry.action else { return false }
    return claims.isHeld(requests[number].message, entry.id)
  }
}
