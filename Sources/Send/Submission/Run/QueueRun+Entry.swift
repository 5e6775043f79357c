internal import MailModel
internal import Platform
internal import Spool
internal import SpoolPlan

// One entry.
extension QueueRun {
  /// Does all that can be done for an entry now, under its lock.
  func processEntry(_ id: EntryID) throws(SpoolError) {
    try handlingTrouble(of: id) { () throws(SpoolError) in
      let lock = try EntryLock.acquire(id, in: spool, timeout: Self.lockTimeout, retired: retired)
      guard let lock else { return try claim(id) }
      do throws(SpoolError) {
        try processEntry(lock)
      } catch {
        guard case .entry(_, let problem) = error else { throw error }
        if case .unknownVersion = problem { throw error }
        try setAside(problem, lock)
      }
    }
  }

  /// Keeps what is wrong with one entry from ending the run.
  func handlingTrouble(
    of id: EntryID,
    _ body: () throws(SpoolError) -> Void
  ) throws(SpoolError) {
    do throws(SpoolError) {
      try body()
    } catch {
      switch error {
      case _ where error.isOfOneFile: leave(id, error)
      case .entry, .log: leave(id, error)
      // It was withdrawn.
      case .noEntry(id): break
      case .system, .foreignOwner, .openToOthers, .notADirectory, .notAFile, .tooLong,
        .lockUnsupported, .busy, .entryBusy, .noEntry, .message:
        throw error
      }
    }
  }

  private func processEntry(_ lock: EntryLock) throws(SpoolError) {
    guard let stored = try load(lock.id) else { return }
    // It, or the whole queue, was put where another account's is.
    guard stored.entry.account.utf8.elementsEqual(spool.account.utf8) else {
      throw .entry(lock.id, .otherAccount(stored.entry.account))
    }
    let isChange = !stored.entry.action.requests.isEmpty
    if isChange, claims == nil { claims = try MessageClaims(spool) }
    try advance(stored, try lock.openLog(), lock)
    if isChange { claims?.add(lock.id, spool) }
  }

  /// The entry, as far as this run works on it; `nil` where it is in another state by now.
  private func load(_ id: EntryID) throws(SpoolError) -> StoredEntry? {
    // The file of an entry never changes.
    if let ahead, ahead.id == id { return try spool.contains(id, in: .queue) ? ahead.stored : nil }
    let whole = try spool.load(id, in: .queue)
    return options.sendsOnly ? whole?.sendingAlone : whole
  }

  /// Keeps later entries for the same messages from overtaking one that another process has for very long.
  private func claim(_ id: EntryID) throws(SpoolError) {
    if claims == nil { claims = try MessageClaims(spool) }
    claims?.add(id, spool)
  }

  private func leave(_ id: EntryID, _ error: SpoolError) {
    result.unreadable.append((id, error))
    report(.unreadable(id, error))
  }

  /// A damaged entry is never sent.
  private func setAside(_ problem: EntryError, _ lock: EntryLock) throws(SpoolError) {
    let words = [UInt8](EntryWords.text(problem).utf8)
    try lock.recordFact(.failed(words), now: Clock.now())
    try fail(words, lock)
  }

  private func fail(_ words: [UInt8], _ lock: EntryLock) throws(SpoolError) {
    try move(lock, to: .failed)
    result.failed.append(lock.id)
    report(.failed(lock.id, words))
  }

  private func move(_ lock: EntryLock, to state: EntryState) throws(SpoolError) {
    try lock.change { (work) throws(SpoolError) in
      try work.move(lock.id, from: .queue, to: state)
    }
  }

  func advance(
    _ stored: StoredEntry,
    _ log: EntryLog,
    _ lock: EntryLock
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
        guard try send(stored, numbers, progress, log, lock) else { return }
      case .perform(let numbers):
        guard try perform(numbers, of: stored, progress, log, &attempted) else { return }
      case .split(let numbers):
        let part = try lock.change { (work) throws(SpoolError) in
          try work.split(stored, numbers, progress, to: .failed, now: now)
        }
        guard let part else { return try fail(progress.lastWords ?? [], lock) }
        result.failed.append(part.id)
        report(.failed(part.id, progress.lastWords ?? []))
        // The log was written on through another value.
        return try advance(stored, try lock.openLog(), lock)
      case .giveUp(let numbers, let words): try log.append(.refused(numbers, words), now: now)
      case .fail where progress.isSentWithoutCopy:
        try move(lock, to: .failed)
        return result.uncopied.append(id)
      case .fail: return try fail(progress.failure ?? progress.lastWords ?? [], lock)
      case .hold(let words):
        try log.append(.held(words), now: now)
        try move(lock, to: .hold)
        return report(.held(id, words))
      case .wait: return
      case .finish:
        try finish(lock, keepingLog: progress.isCancelled)
        return report(.finished(id))
      }
    }
  }

  /// Takes an entry away that is done; its log tells what became of it where a program of before has moved it meanwhile, which
  /// knows no locks of entries.
  private func finish(_ lock: EntryLock, keepingLog: Bool) throws(SpoolError) {
    try lock.change { (work) throws(SpoolError) in
      guard try spool.contains(lock.id, in: .queue) else { return }
      try work.retire(lock.id, from: .queue, keepingLog: keepingLog)
    }
    lock.giveUp()
  }

  /// What is to be done; a person does not wait, except for the moment that the message was given for.
  func next(_ id: EntryID, _ progress: Progress, _ now: Int64) -> NextStep {
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
    let stepState = StepState(log, options.schedule)
    try performer.perform(steps, of: stored, stepState)
    self.performer = stepState.isUnreachable ? nil : performer
    return true
  }

  /// Whether an entry for the same message of the server is to be done before a step of this one.
  private func isHeld(_ entry: Entry, _ number: Int) -> Bool {
    guard let claims, case .change(let requests) = entry.action else { return false }
    return claims.isHeld(requests[number].message, entry.id)
  }
}
