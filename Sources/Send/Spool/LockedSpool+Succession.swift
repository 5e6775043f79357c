package import Octets
internal import Platform
package import SpoolPlan

/// Entries that come of others: what of one is left for some of its recipients, and new versions.
///
/// The new entry is whole in tmp/ before a line in the log of the other one decides: until then nothing has happened, from
/// then on all of it has. Its name in tmp/ goes last, so that who takes the lock next finds what is still to be done. Never
/// does a recipient stand in two entries of which both may be sent, nor in none.
extension LockedSpool {
  /// Gives recipients of an entry an entry of their own; anyone who has the message stays, with the copy.
  ///
  /// Done again after a crash it makes no second one. Where only the copy is left of the entry, it is not kept back,
  /// and it goes where that is made.
  ///
  /// - Parameters:
  ///   - stored: the entry.
  ///   - numbers: the recipients; none of them is known to have the message.
  ///   - progress: how far the entry has come.
  ///   - state: where the new entry goes.
  ///   - now: the time, in seconds since 1970.
  /// - Returns: the new entry; `nil` where it was split too often already.
  /// - Throws: `SpoolError`.
  @discardableResult
  package func split(
    _ stored: StoredEntry,
    _ numbers: [Int],
    _ progress: Progress,
    to state: EntryState,
    now: Int64
  ) throws(SpoolError) -> Entry? {
    guard case .send(let sending) = stored.entry.action,
      let id = stored.entry.id.child(progress.splits + 1)
    else { return nil }
    let child = Entry(
      id: id,
      account: stored.entry.account,
      queued: stored.entry.queued,
      action: .send(sending.limited(to: numbers)),
      seal: stored.entry.seal
    )
    let log = try spool.log(of: stored.entry.id)
    let known = progress.part(of: log, for: numbers, of: stored.entry.id, now: now)
    try prepare(child, stored.message, known)
    try recordFact(.split(numbers, id), of: stored.entry.id, now: now)
    try carryOut(Succession(id: id, former: stored.entry.id, kind: .part(state)))
    return child
  }

  /// Puts another version of an entry into the queue, in its place, and takes the old one away.
  ///
  /// One of a message that an agent wrote is held: what a person approved was another text. Recipients that have the message
  /// must not be in either.
  ///
  /// - Parameters:
  ///   - old: the entry.
  ///   - action: what is to be done in place of it.
  ///   - message: the new message.
  ///   - copy: the entry that makes the copy of the message; `nil` where that is the business of the new one.
  ///   - isShared: whether others have the message, or may have it.
  ///   - now: the time, in seconds since 1970.
  /// - Returns: the new entry.
  /// - Throws: `SpoolError`; then the old one is as it was, or the new one is in its place.
  package func replace(
    _ old: Entry,
    with action: Action,
    message: any OctetSource,
    copiedWith copy: EntryID? = nil,
    isShared: Bool = false,
    now: Int64
  ) throws(SpoolError) -> Entry {
    let new = Entry(
      id: old.id.version(random: UInt32.random(in: 0...(.max)), isSplitOff: isShared),
      account: old.account,
      queued: old.queued,
      action: action,
      seal: try Spool.seal(message)
    )
    try prepare(new, message, copy.map { [Progress.copyElsewhere($0, now)] } ?? [])
    try recordFact(.replaced(new.id), of: old.id, now: now)
    try carryOut(Succession(id: new.id, former: old.id, kind: .version))
    return new
  }

  /// Carries out what a process that was killed had decided, and removes what it had not.
  func finishSuccessions() throws(SpoolError) {
    for name in try names(in: spool.temporaries) {
      guard let id = spool.successor(named: name) else { continue }
      switch try decision(about: id) {
      case .made(let succession): try carryOut(succession)
      case .none: try remove(spool.successor(id))
      // It may have been decided: a person sees to the log, and this waits.
      case .unknown: continue
      }
    }
  }
}

/// Whether something was decided of an entry in tmp/.
private enum Decision {
  case made(Succession)
  case none
  /// A log that may say it is damaged.
  case unknown
}

/// What was decided of an entry in tmp/.
private struct Succession {
  enum Kind {
    /// It is for some recipients of the former entry, and goes there.
    case part(EntryState)
    /// It goes into the queue in place of the former entry, or among what is held.
    case version
  }

  let id: EntryID
  let former: EntryID
  let kind: Kind
}

// Making.
extension LockedSpool {
  /// Writes an entry into tmp/, and its log: without that it would say nothing of what happened.
  private func prepare(
    _ entry: Entry,
    _ message: (any OctetSource)?,
    _ records: [LogRecord]
  ) throws(SpoolError) {
    // What a crash left of an attempt about which nothing was decided.
    try remove(spool.successor(entry.id))
    try remove(spool.logs.appending(entry.id.octets))
    try openLog(of: entry.id).append(records)
    try spool.prepare(entry, message)
  }

  private func carryOut(_ succession: Succession) throws(SpoolError) {
    let temporary = spool.successor(succession.id)
    switch succession.kind {
    case .part(let state):
      let isMarked = try place(succession.id, in: state)
      if !isMarked { try rename(succession.id, to: state) }
      try leaveCopy(of: succession.former)
      if isMarked { try remove(temporary) }
    case .version:
      let state = try stateOfVersion(temporary)
      let isMarked = try place(succession.id, in: state)
      try retireFormer(succession.former)
      if isMarked { try remove(temporary) } else { try rename(succession.id, to: state) }
    }
    // Else a power failure could bring back the name, and with it an entry that is done.
    try synchronise(spool.temporaries)
  }

  /// Where a new version in tmp/ goes.
  private func stateOfVersion(_ temporary: Path) throws(SpoolError) -> EntryState {
    guard let file = try SpoolFile.open(temporary, .read),
      let entry = try? Entry.decode(try SpoolFile.header(of: file)).entry
    else { return .queue }
    return entry.action.agent == nil ? .queue : .hold
  }

  /// Gives an entry in tmp/ its name among the others, durably, beside that in tmp/; `false` where the file system knows no
  /// second names.
  private func place(_ id: EntryID, in state: EntryState) throws(SpoolError) -> Bool {
    for state in EntryState.allCases where try spool.contains(id, in: state) { return true }
    let name = spool.directory(state).appending(id.octets)
    do throws(SystemError) {
      try FileSystem.link(spool.successor(id), to: name)
    } catch {
      guard error.isUnsupported || error.isOfThisFileAlone else { throw .system(error) }
      return false
    }
    try synchronise(spool.directory(state))
    return true
  }

  private func rename(_ id: EntryID, to state: EntryState) throws(SpoolError) {
    try Spool.system { () throws(SystemError) in
      try FileSystem.renameWithoutReplacing(
        spool.successor(id),
        to: spool.directory(state).appending(id.octets)
      )
    }
    try synchronise(spool.directory(state))
  }

  private func wantedState(of id: EntryID) throws(SpoolError) -> EntryState? {
    try state(of: id).flatMap { $0 == .discarded ? nil : $0 }
  }

  private func retireFormer(_ id: EntryID) throws(SpoolError) {
    for state in EntryState.allCases where try spool.contains(id, in: state) {
      try retire(id, from: state, keepingLog: true)
    }
    try removeRetiredLogs()
  }

  /// Has the copy made where nothing else is left of an entry; where nothing at all is left, it goes.
  private func leaveCopy(of id: EntryID) throws(SpoolError) {
    guard let state = try wantedState(of: id), let entry = try spool.header(of: id, in: state)
    else {
      return
    }
    let progress = Progress(entry.action, try spool.log(of: id))
    guard progress.left.isEmpty else { return }
    if progress.openSteps.isEmpty, progress.rejectedSteps.isEmpty {
      try retire(id, from: state)
      try removeRetiredLogs()
    } else if state == .hold {
      try recordFact(.released, of: id, now: Clock.now())
      try move(id, from: .hold, to: .queue)
    }
  }
}

// Finding what was decided.
extension LockedSpool {
  /// What the logs of other entries of the same place say of an entry in tmp/.
  private func decision(about id: EntryID) throws(SpoolError) -> Decision {
    let place = id.octets.prefix { $0 != ASCII.dot }
    var result = Decision.none
    for name in try names(in: spool.logs) where name.starts(with: place) {
      guard let former = EntryID(name), former != id else { continue }
      guard let log = try readableLog(of: former) else {
        result = .unknown
        continue
      }
      if let succession = try succession(of: id, in: log, of: former) { return .made(succession) }
    }
    return result
  }

  /// The log of an entry; `nil` for one that is damaged.
  private func readableLog(of id: EntryID) throws(SpoolError) -> [LogRecord]? {
    do throws(SpoolError) {
      return try spool.log(of: id)
    } catch {
      // What the system refuses now it may allow later.
      if case .system = error { throw error }
      return nil
    }
  }

  private func succession(
    of id: EntryID,
    in log: [LogRecord],
    of former: EntryID
  ) throws(SpoolError) -> Succession? {
    for (index, record) in log.enumerated() {
      switch record.fact {
      case .replaced(id): return Succession(id: id, former: former, kind: .version)
      case .split(let numbers, id):
        let state = try stateOfPart(numbers, of: former, Array(log[..<index]))
        return Succession(id: id, former: former, kind: .part(state))
      default: break
      }
    }
    return nil
  }

  /// Where a part of an entry goes: those who are refused for good need a person, all others stay where the entry is.
  private func stateOfPart(
    _ numbers: [Int],
    of id: EntryID,
    _ log: [LogRecord]
  ) throws(SpoolError) -> EntryState {
    guard let state = try wantedState(of: id), let entry = try spool.header(of: id, in: state)
    else {
      return .queue
    }
    let refused = Set(Progress(entry.action, log).refused)
    return state == .queue && refused.isSuperset(of: numbers) ? .failed : state
  }
}
