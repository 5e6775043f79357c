internal import MailStore
internal import Mailboxes
internal import Platform
internal import SyncPlan
internal import SyncState

/// Moves messages of mailboxes to where their files went: few of several mailboxes in one flight, the others mailbox by mailbox.
///
/// The intents of all moves of a flight are on record before the first command goes, and what came of them before anything else is
/// done. What a flight does not bring about is done mailbox by mailbox, under the same intents.
struct MailboxMoves {
  /// The moves out of one mailbox.
  private struct Lot {
    let mailbox: OpenMailbox
    var batches: [MovePush.Batch]

    var count: Int { batches.reduce(0) { $0 + $1.moves.count } }
  }

  /// Moves that the server named: what is left to do about them.
  private struct Arrival {
    let mailbox: OpenMailbox
    let target: OpenMailbox
    let moves: [MovePush.Move]
    let named: [UInt32: UInt32]
    let records: [StateRecord]
  }

  /// What they came to.
  private(set) var outcome = StepOutcome()
  /// The mailboxes in which nothing more can be done, and why.
  private(set) var failures: [MailboxFailure] = []
  /// What is still to be recorded of mailboxes, by their ids: that messages left, which their targets have on record.
  private var departures: [UInt64: [StateRecord]] = [:]

  private let context: AccountContext
  private let store: any MailStore
  private let group: [UInt64: OpenMailbox]

  init(_ context: AccountContext, _ store: any MailStore, _ group: [UInt64: OpenMailbox]) {
    (self.context, self.store, self.group) = (context, store, group)
  }

  /// Carries out the moves of the plans whose files are where these saw them.
  mutating func push(
    _ mailboxes: [OpenMailbox],
    _ absence: AbsenceCheck
  ) throws(SyncFailure) {
    var (together, alone): ([Lot], [Lot]) = ([], [])
    for mailbox in mailboxes where !mailbox.remainingPlan.moves.isEmpty {
      var lot = Lot(mailbox: mailbox, batches: [])
      try perform(in: mailbox) { (push) throws(SyncFailure) in
        lot.batches = try push.batches(mailbox.remainingPlan.moves.map(\.step), absence)
      }
      guard !lot.batches.isEmpty else { continue }
      if mayGoTogether(lot) { together.append(lot) } else { alone.append(lot) }
    }
    // Of one mailbox, which is open as a rule, the moves cost no more by themselves.
    if together.count == 1 { (together, alone) = ([], together + alone) }
    try sendTogether(FlightLimit.flights(of: together, count: \.count))
    for lot in alone {
      try perform(in: lot.mailbox) { (push) throws(SyncFailure) in
        try push.pushMoves(lot.batches)
      }
    }
  }

  /// Where mailboxes are labels, one may have a message already that is moved there.
  private func mayGoTogether(_ lot: Lot) -> Bool {
    let traits = store.traits
    let messages = lot.mailbox.state.messages
    return traits.movesAtOnce && !traits.hasLabels && lot.count <= FlightLimit.messagesOfMailbox
      && lot.batches.allSatisfy { $0.moves.allSatisfy { messages[$0.uid]?.size != nil } }
  }

  /// That messages left is recorded behind all flights: until then the records of their targets say so.
  private mutating func sendTogether(_ flights: [[Lot]]) throws(SyncFailure) {
    defer { recordDepartures() }
    for flight in flights { try send(flight) }
  }

  private mutating func recordDepartures() {
    failures += record(departures)
    departures = [:]
  }

  private mutating func send(_ lots: [Lot]) throws(SyncFailure) {
    if context.interruption.isRequested { throw .interrupted }
    let lots = announce(lots)
    guard !lots.isEmpty else { return }
    var late = lateQuestions(lots)
    let outcomes = try store.move(lots.flatMap(orders), asking: &late, expecting: [])
    late.recordAnswers(in: Array(group.values))
    let left = try record(lots, outcomes)
    // What is looked for is looked for beside what is on record.
    if !left.isEmpty { recordDepartures() }
    for lot in left {
      try perform(in: lot.mailbox) { (push) throws(SyncFailure) in
        try push.transfer(lot.batches, isAll: true)
      }
    }
  }

  private func orders(_ lot: Lot) -> [MoveOrder] {
    let messages = lot.mailbox.state.messages
    return lot.batches.map { batch in
      var sizes: [UInt32: UInt64] = [:]
      for move in batch.moves { sizes[move.uid] = messages[move.uid]?.size }
      return MoveOrder(
        from: lot.mailbox.reference,
        to: batch.target.mailbox.name,
        sizes: sizes
      )
    }
  }

  /// About each mailbox once, behind all moves of the flight.
  private func lateQuestions(_ lots: [Lot]) -> LateQuestions {
    var counts: [UInt64: Int] = [:]
    for lot in lots {
      counts[lot.mailbox.mailbox.id, default: 0] += lot.count
      for batch in lot.batches {
        counts[batch.target.mailbox.id, default: 0] += batch.moves.count
      }
    }
    let questions = counts.sorted { $0.key < $1.key }.flatMap { id, count in
      LateQuestions(about: group[id].map { [$0] } ?? [], behind: count).questions
    }
    return LateQuestions(questions)
  }

  /// Records what is about to be moved; gives the moves of which it is on record, with the numbers of their intents.
  private mutating func announce(_ lots: [Lot]) -> [Lot] {
    var lots = lots
    var records: [UInt64: [StateRecord]] = [:]
    for index in lots.indices {
      let push = push(of: lots[index].mailbox)
      for place in lots[index].batches.indices {
        let target = lots[index].batches[place].target
        let earlier = records[target.mailbox.id] ?? []
        let first = target.state.nextIntent + UInt64(earlier.count)
        records[target.mailbox.id] = earlier + push.number(&lots[index].batches[place], from: first)
      }
    }
    let failed = record(records)
    lots.removeAll { lot in
      let failure = failed.first { failure in
        lot.batches.contains { $0.target === failure.mailbox }
      }
      if let failure { failures.append((lot.mailbox, failure.failure)) }
      return failure != nil
    }
    return lots
  }

  private func record(_ records: [UInt64: [StateRecord]]) -> [MailboxFailure] {
    OpenMailbox.record(
      records.sorted { $0.key < $1.key }.compactMap { id, records in
        group[id].map { ($0, records) }
      }
    )
  }

  /// Records what the server named; gives the other moves.
  private mutating func record(
    _ lots: [Lot],
    _ outcomes: [TransferOutcome]
  ) throws(SyncFailure) -> [Lot] {
    var outcomes = outcomes[...]
    var arrivals: [Arrival] = []
    var left: [Lot] = []
    var taken: [UInt64: Set<UInt32>] = [:]
    for lot in lots {
      var rest = Lot(mailbox: lot.mailbox, batches: [])
      for batch in lot.batches {
        let transfer = outcomes.popFirst() ?? TransferOutcome()
        let target = batch.target
        try perform(in: lot.mailbox) { (push) throws(SyncFailure) in
          // No UID stands for two messages, whatever the server says.
          let named = push.named(batch, transfer).filter {
            taken[target.mailbox.id, default: []].insert($0.value).inserted
          }
          let moves = batch.moves.filter { named[$0.uid] != nil }
          let records = try push.arrivals(of: moves, in: target, named, leaves: true)
          arrivals.append(
            Arrival(
              mailbox: lot.mailbox,
              target: target,
              moves: moves,
              named: named,
              records: records
            )
          )
          let others = batch.moves.filter { named[$0.uid] == nil }
          if !others.isEmpty {
            rest.batches.append(MovePush.Batch(target: target, moves: others))
          }
        }
      }
      if !rest.batches.isEmpty { left.append(rest) }
    }
    try finish(arrivals)
    return left.filter { lot in !failures.contains { $0.mailbox === lot.mailbox } }
  }

  /// With the targets first: what is on record nowhere would be taken for new.
  private mutating func finish(_ arrivals: [Arrival]) throws(SyncFailure) {
    var records: [UInt64: [StateRecord]] = [:]
    for arrival in arrivals { records[arrival.target.mailbox.id, default: []] += arrival.records }
    let failed = record(records)
    var recorded: [Arrival] = []
    for arrival in arrivals {
      if let (_, failure) = failed.first(where: { $0.mailbox === arrival.target }) {
        failures.append((arrival.mailbox, failure))
      } else {
        departures[arrival.mailbox.mailbox.id, default: []] += arrival.moves.map {
          .gone(uid: $0.uid)
        }
        recorded.append(arrival)
      }
    }
    for arrival in recorded {
      context.facts.moved(
        arrival.named,
        of: arrival.mailbox,
        to: arrival.target.mailbox.name
      )
      try perform(in: arrival.mailbox) { (push) throws(SyncFailure) in
        try push.finishRecorded(arrival.moves, arrival.target, arrival.named)
      }
    }
  }

  private func push(of mailbox: OpenMailbox) -> MovePush {
    MovePush(context: context, store: store, mailbox: mailbox, group: group)
  }

  /// Does something about moves out of a mailbox; where that fails, the others go on.
  private mutating func perform(
    in mailbox: OpenMailbox,
    _ step: (inout MovePush) throws(SyncFailure) -> Void
  ) throws(SyncFailure) {
    guard !failures.contains(where: { $0.mailbox === mailbox }) else { return }
    var push = push(of: mailbox)
    defer { outcome.merge(push.outcome) }
    do throws(SyncFailure) {
      try step(&push)
    } catch {
      guard !error.endsConnection else { throw error }
      failures.append((mailbox, error))
      try store.drainAnswers()
    }
  }
}
