internal import Octets
internal import Platform
internal import SMTP
internal import Spool
internal import SpoolPlan

/// A message that goes together with others, and the right to change its entry.
struct FlightMember {
  let ready: ReadyEntry
  let log: EntryLog
  let lock: EntryLock
}

// Several messages at once.
extension QueueRun {
  /// The message, and those behind it in the queue that go together with it; none where it goes alone.
  func flight(
    of ready: ReadyEntry,
    _ log: EntryLog,
    _ lock: EntryLock,
    over connection: SubmissionConnection
  ) -> [FlightMember] {
    let rules = rules(over: connection, behind: connection.takenCount)
    guard rules.flightLimit > 1, connection.takesFlights, Self.isFit(ready, rules),
      ready.offered.isPossible(for: connection.extensions)
    else { return [] }
    var members = [FlightMember(ready: ready, log: log, lock: lock)]
    while members.count < rules.flightLimit, connection.hasRoom(for: members.count + 1),
      let next = readyEntry(over: connection), Self.isFit(next, rules), let member = locked(next)
    {
      settled.insert(next.id)
      members.append(member)
    }
    return members
  }

  static func isFit(_ ready: ReadyEntry, _ rules: PipeliningRules) -> Bool {
    ready.isWhole
      && rules.takesIntoFlight(
        size: ready.offered.facts.size,
        recipientCount: ready.offered.envelope.recipients.count
      )
  }

  /// The entry under its lock; `nil` where another process has that, or has changed the entry: it has its turn alone.
  private func locked(_ ready: ReadyEntry) -> FlightMember? {
    let acquired = try? EntryLock.acquire(ready.id, in: spool, timeout: 0, retired: retired)
    guard let lock = acquired ?? nil, let log = try? lock.openLog(),
      log.records.count == ready.lines, (try? spool.contains(ready.id, in: .queue)) == true
    else { return nil }
    return FlightMember(ready: ready, log: log, lock: lock)
  }

  /// Sends messages together; the entries behind the first one are worked on when that is done with.
  func send(
    _ flight: [FlightMember],
    over connection: SubmissionConnection
  ) throws(SpoolError) {
    landed += flight.dropFirst()
    let members = try noteSending(flight)
    for member in members { offered[member.ready.id, default: []].formUnion(member.ready.batch) }
    var trouble: SpoolError?
    var broken: (FlightMember, DeliveryAttempt)?
    func handleAnswers(_ attempts: [DeliveryAttempt], of members: ArraySlice<FlightMember>) {
      do throws(SpoolError) {
        try recordAnswers(attempts, of: members)
      } catch {
        // What else the server answers is noted all the same.
        trouble = trouble ?? error
      }
      broken = broken ?? zip(members, attempts).first { $1.failure != nil }
    }
    let rest = connection.deliver(members.map(\.ready.offered)) { first, attempts in
      handleAnswers(attempts, of: members[first...])
    }
    handleAnswers(rest, of: members.suffix(rest.count))
    if let trouble {
      hangUp()
      throw trouble
    }
    guard let (member, attempt) = broken, let failure = attempt.failure else {
      (lost, previous) = (nil, nil)
      return
    }
    if attempt.isLoss { experience = .lost }
    _ = try goOn(after: failure, attempt, member.ready.id, member.ready.batch.first)
  }

  /// Makes durable of all of them that their ends are about to be sent.
  ///
  /// - Returns: those of which it is; not one that another program has changed, nor those behind it.
  private func noteSending(_ flight: [FlightMember]) throws(SpoolError) -> [FlightMember] {
    guard let first = flight.first else { return [] }
    try prepareLogs(flight.map { ($0.ready.id, $0.log) })
    return try first.lock.change { (work) throws(SpoolError) in
      var members: [FlightMember] = []
      for member in flight {
        do throws(SpoolError) {
          try work.checkUnchanged(member.ready.id, in: .queue, member.log.records.count)
        } catch {
          guard error.isOfAnotherProgram else { throw error }
          guard !members.isEmpty else { throw .noEntry(member.ready.id) }
          break
        }
        members.append(member)
      }
      try EntryLog.append(members.map { ($0.log, [.sending($0.ready.batch)]) }, now: Clock.now())
      return members
    }
  }

  /// Makes answers durable, and reports them.
  private func recordAnswers(
    _ attempts: [DeliveryAttempt],
    of members: ArraySlice<FlightMember>
  ) throws(SpoolError) {
    let pairs = Array(zip(members, attempts))
    try EntryLog.append(
      pairs.map { ($0.log, facts(of: $1, $0.ready)) },
      now: Clock.now(),
      areAnswers: true
    )
    for (member, attempt) in pairs {
      // It is offered anew, since the server said nothing of it.
      if attempt.place == .behindFailure, attempt.outcome.recipients == [.undecided] {
        offered[member.ready.id]?.subtract(member.ready.batch)
      }
      tell(attempt, member.ready)
    }
  }

  /// Works on the entries that went together with the one before, in their order.
  func workOnLanded() throws(SpoolError) {
    while !landed.isEmpty {
      let member = landed.removeFirst()
      let id = member.ready.id
      try handlingTrouble(of: id) { () throws(SpoolError) in
        try advance(member.ready.stored, member.log, member.lock)
      }
    }
  }
}
