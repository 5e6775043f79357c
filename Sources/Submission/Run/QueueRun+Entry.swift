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
