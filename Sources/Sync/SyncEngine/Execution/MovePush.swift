internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Octets
internal import SyncPlan
internal import SyncState

/// Moves messages on the server to where their files went.
///
/// An intent in the target's log comes first. Only what COPYUID names is done; what it does not name is
/// looked for. With MOVE (RFC 6851) the server does it in one step; without, a copy is made, and the
/// message that it is of is remembered as one that has to go, before the copy is recorded.
struct MovePush {
  /// One message and where it goes.
  struct Move {
    var uid: UInt32
    var name: [UInt8]
    /// What the file is to show in its new place.
    var flags: SystemFlags
    var number: UInt64 = 0
  }

  /// Messages that go to one mailbox.
  struct Batch {
    let target: OpenMailbox
    var moves: [Move]
  }

  /// Messages that are moved at once.
  private static let limit = 1000

  /// What they came to.
  private(set) var outcome = StepOutcome()

  let context: AccountContext
  let store: any MailStore
  let mailbox: OpenMailbox
  let group: [UInt64: OpenMailbox]

  /// The moves whose files are where the plan saw them.
  mutating func batches(
    _ planned: [ServerMove],
    _ absence: AbsenceCheck
  ) throws(SyncFailure) -> [Batch] {
    var moves: [UInt64: [Move]] = [:]
    for move in planned {
      guard try isInPlace(move.uid, move.name, move.target, absence) else {
        outcome[mailbox].isComplete = false
        continue
      }
      moves[move.target, default: []].append(
        Move(uid: move.uid, name: move.name, flags: move.flags)
      )
    }
    let targets = moves.keys.compactMap { group[$0] }.sorted {
      $0.mailbox.name.wire.lexicographicallyPrecedes($1.mailbox.name.wire)
    }
    return targets.map { Batch(target: $0, moves: moves[$0.mailbox.id] ?? []) }
  }

  /// Carries out moves.
  mutating func pushMoves(_ batches: [Batch]) throws(SyncFailure) {
    let flights = Self.flights(batches)
    for flight in flights { try send(flight, isAll: flights.count == 1) }
  }

  /// The moves as they are sent together: to several mailboxes at once, and no more of them than may be under way.
  private static func flights(_ batches: [Batch]) -> [[Batch]] {
    var flights: [[Batch]] = []
    var count = limit
    for batch in batches {
      for start in stride(from: 0, to: batch.moves.count, by: limit) {
        let moves = Array(batch.moves[start..<min(start + limit, batch.moves.count)])
        if count + moves.count > limit {
          flights.append([])
          count = 0
        }
        flights[flights.count - 1].append(Batch(target: batch.target, moves: moves))
        count += moves.count
      }
    }
    return flights
  }

  /// Whether the file is where the plan saw it, and the message's own place is empty.
  private func isInPlace(
    _ uid: UInt32,
    _ name: [UInt8],
    _ target: UInt64,
    _ absence: AbsenceCheck
  ) throws(SyncFailure) -> Bool {
    guard let target = group[target], !target.hasFailed, let record = mailbox.state.messages[uid],
      absence.isThere(name, in: target.directory)
    else { return false }
    if name == record.name { return !absence.isThere(name, in: mailbox.directory) }
    return try absence.isNowhere(record.name, of: mailbox.directory)
  }

  /// What is under way is on record for all of them before the first is sent.
  ///
  /// `isAll` says that these are all moves out of the mailbox.
  private mutating func send(_ batches: [Batch], isAll: Bool) throws(SyncFailure) {
    var batches = batches
    for index in batches.indices {
      let target = batches[index].target
      try target.record(number(&batches[index], from: target.state.nextIntent))
    }
    try transfer(batches, isAll: isAll)
  }

  /// Carries out moves that are on record as under way; `isAll` is as above.
  mutating func transfer(_ batches: [Batch], isAll: Bool) throws(SyncFailure) {
    let movesAtOnce = store.traits.movesAtOnce
    let mailboxes = batches.map(\.target) + [mailbox]
    let count = batches.reduce(0) { $0 + $1.moves.count }
    var late = LateQuestions(about: isAll ? mailboxes : [], behind: count)
    let transfers = try store.transfer(
      batches.map { TransferOrder($0.moves.map(\.uid), to: $0.target.mailbox.name) },
      from: mailbox.reference,
      asking: &late
    )
    late.recordAnswers(in: mailboxes)
    let refusesMove = movesAtOnce && !store.traits.movesAtOnce
    for (batch, transfer) in zip(batches, transfers) {
      try finishBatch(batch, transfer, refusesMove: refusesMove)
    }
  }

  /// What the server named of a batch, as far as it can be true: new UIDs by the old ones.
  func named(_ batch: Batch, _ transfer: TransferOutcome) -> [UInt32: UInt32] {
    guard transfer.validity == batch.target.state.header.validity else { return [:] }
    return transfer.pairs.filter { batch.target.couldBeNew($0.value) }
  }

  /// `refusesMove` says that the server does not carry out MOVE, as this attempt showed: what it refused is copied.
  private mutating func finishBatch(
    _ batch: Batch,
    _ transfer: TransferOutcome,
    refusesMove: Bool
  ) throws(SyncFailure) {
    let (moves, target) = (batch.moves, batch.target)
    let isTrusted = transfer.validity == target.state.header.validity
    let named = named(batch, transfer)
    context.facts.moved(named, of: mailbox, to: target.mailbox.name)
    try finishMoves(moves.filter { named[$0.uid] != nil }, target, named)
    var unnamed = moves.filter { named[$0.uid] == nil }
    if isTrusted, context.policy(of: target).pulls {
      unnamed = try joinLabelled(unnamed, target, transfer.pairs)
    }
    guard !unnamed.isEmpty else { return }
    if refusesMove, transfer.refusal != nil {
      try target.record(unnamed.map { .resolved(number: $0.number) })
      return try send([Batch(target: target, moves: unnamed)], isAll: false)
    }
    if !isTrusted, !store.traits.movesAtOnce {
      try MisplacedCopies(of: mailbox, transfer).takeBack(from: target.mailbox.name, over: store)
    }
    if transfer.refusal == nil || !store.traits.movesAtOnce {
      // Their UIDs were not told, they are gone, or they were copied although the server refused: the open intents say
      // what to look for.
      var resolver = IntentResolver(context, store)
      defer { outcome.merge(resolver.outcome) }
      let taken = transfer.refusal == nil ? Set(unnamed.map(\.number)) : []
      try resolver.resolveIntents(
        target,
        in: Array(group.values),
        taken: .transfers(taken, haveLeft: store.traits.movesAtOnce)
      )
    } else {
      try target.record(unnamed.map { .resolved(number: $0.number) })
    }
    guard let refusal = transfer.refusal else { return }
    let left = unnamed.filter { mailbox.state.pendingExpunges[$0.uid] == nil }
    if moves.count > 1 {
      for one in left { try send([Batch(target: target, moves: [one])], isAll: false) }
    } else if let one = left.first {
      outcome[target].refusals.append(PushRefusal(target, one.name, .refused(.move, refusal)))
      outcome[mailbox].fail(.message(uid: one.uid, .refused(.move, refusal)))
    }
  }

  /// Has files go whose messages have the label into which they were moved, with another file there; gives the other moves.
  ///
  /// What is on record where the message was goes after that: a run that ends before leaves the same to the next.
  private mutating func joinLabelled(
    _ moves: [Move],
    _ target: OpenMailbox,
    _ pairs: [UInt32: UInt32]
  ) throws(SyncFailure) -> [Move] {
    guard store.traits.hasLabels, store.traits.movesAtOnce else { return moves }
    var others: [Move] = []
    for move in moves {
      guard let twin = pairs[move.uid].flatMap({ target.state.messages[$0] }),
        let record = mailbox.state.messages[move.uid],
        Sameness.compare(Trace(record.identity), Trace(twin.identity), .inPlace).level == .certain,
        twin.name != move.name, target.file(of: twin.name) != nil
      else {
        others.append(move)
        continue
      }
      try target.record([.resolved(number: move.number)])
      let survivor = Survivor(directory: target.mailbox.directory, name: twin.name)
      outcome[target].joined.append(.superseded(name: move.name, by: survivor))
      outcome[mailbox].forgotten.append(move.uid)
      outcome[mailbox].counts.moved += 1
    }
    return others
  }

  /// Gives each move the number that its intent gets; gives what is recorded with the target before they are sent.
  func number(_ batch: inout Batch, from first: UInt64) -> [StateRecord] {
    batch.moves.indices.map { index in
      let move = batch.moves[index]
      batch.moves[index].number = first + UInt64(index)
      let transfer = Intent.Transfer(
        mailbox.state.origin(of: move.uid),
        mailbox.state.messages[move.uid],
        name: move.name,
        uidNext: batch.target.uidNext
      )
      return .intent(number: batch.moves[index].number, .move(transfer))
    }
  }

  private mutating func finishMoves(
    _ moves: [Move],
    _ target: OpenMailbox,
    _ named: [UInt32: UInt32]
  ) throws(SyncFailure) {
    let isCopied = !store.traits.movesAtOnce
    let arrivals = try arrivals(of: moves, in: target, named, leaves: !isCopied)
    // In this order: what is copied must never look like a message whose file was removed.
    if isCopied {
      try mailbox.record(moves.map { target.expungeOfCopied($0.uid, as: named[$0.uid]) })
    }
    try target.record(arrivals)
    if !isCopied { try mailbox.record(moves.map { .gone(uid: $0.uid) }) }
    try finishRecorded(moves, target, named)
  }

  /// What is recorded with the target of messages that arrived there; `leaves` says that they left their mailbox.
  func arrivals(
    of moves: [Move],
    in target: OpenMailbox,
    _ named: [UInt32: UInt32],
    leaves: Bool
  ) throws(SyncFailure) -> [StateRecord] {
    var arrivals: [StateRecord] = []
    for move in moves {
      // What was agreed on travels with the message.
      guard let uid = named[move.uid], var record = mailbox.state.messages[move.uid] else {
        continue
      }
      record.uid = uid
      record.name = move.name
      record.flags = target.arriving(record.flags)
      let origin = leaves ? mailbox.state.origin(of: move.uid) : nil
      arrivals += StateRecord.arrival(record, number: move.number, from: origin)
      arrivals += try target.version(of: record)
    }
    return arrivals
  }

  /// Does what is left to do once both mailboxes have moves on record.
  mutating func finishRecorded(
    _ moves: [Move],
    _ target: OpenMailbox,
    _ named: [UInt32: UInt32]
  ) throws(SyncFailure) {
    outcome[mailbox].counts.moved += moves.count
    try showFlags(moves, target, named)
  }

  /// Lets the files show what the server changed before their messages moved.
  private mutating func showFlags(
    _ moves: [Move],
    _ target: OpenMailbox,
    _ named: [UInt32: UInt32]
  ) throws(SyncFailure) {
    var done = StepOutcome()
    defer { outcome[mailbox].merge(done[target]) }
    let renames = moves.compactMap { move -> LocalRename? in
      guard let uid = named[move.uid], let shown = target.flags(of: move.name),
        shown != move.flags, var agreed = target.state.messages[uid]?.flags
      else { return nil }
      let unshown = shown.symmetricDifference(move.flags)
      agreed.system = agreed.system.symmetricDifference(unshown)
      agreed = target.arriving(agreed)
      return .setFlags(name: move.name, uid: uid, flags: move.flags, agreed: agreed)
    }
    let failures = try NameChanges.renameFiles(
      [(target, renames)],
      in: group,
      context.interruption,
      &done
    )
    if let failure = failures.first?.failure { throw failure }
  }
}
