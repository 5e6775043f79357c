internal import IMAP
internal import MailModel
internal import MailStore
internal import SyncPlan
internal import SyncState

// What is changed in mailboxes.
extension IMAPStore {
  func change(_ orders: [FlagOrder]) throws(SyncFailure) -> [FlagResult] {
    guard orders.contains(where: { !$0.stores.isEmpty }) else {
      return orders.map { .done(FlagOutcome(), $0.late) }
    }
    var flight = FlagFlight(try session(), orders, allowsFlights: memory.mayAskEarly)
    do throws(SyncFailure) {
      return try flight.change()
    } catch {
      if flight.isUnderWay, error.isBreak || error.isLimit {
        memory.refuseEarlyQuestions(because: error)
      }
      throw error
    }
  }

  func change(
    _ uid: UInt32,
    adding: [[UInt8]],
    removing: [[UInt8]],
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> ServerReply? {
    let connection = try open(mailbox)
    var changes: [FlagChange] = []
    if !adding.isEmpty { changes.append(.adding(adding.map { Flag(wire: $0) })) }
    if !removing.isEmpty { changes.append(.removing(removing.map { Flag(wire: $0) })) }
    let set = UIDSet(sortedUIDs: [uid])
    let tags = changes.map {
      connection.send(.uidStore(set, $0, unchangedSince: nil, silent: true))
    }
    var refusal: ServerReply?
    for tag in tags {
      let response = try connection.finish(tag)
      if response.kind != .ok { refusal = refusal ?? ServerReply(response) }
    }
    return refusal
  }

  func transfer(
    _ orders: [TransferOrder],
    from mailbox: MailboxReference,
    asking late: inout LateQuestions
  ) throws(SyncFailure) -> [TransferOutcome] {
    guard !orders.isEmpty else { return [] }
    let connection = try open(mailbox)
    // What was asked of the mailboxes that get something shows them as they were.
    questions.forgetAnswers()
    var reading = LateReading(try session(), late)
    let isMove = traits.movesAtOnce
    var transfer = ServerTransfer(connection, isMove: isMove)
    let outcomes = try transfer.sendOrders(orders) { reading.send() }
    recordRefusals(transfer.refusals, ofMove: isMove)
    reading.finish()
    late = reading.late
    return outcomes
  }

  func move(
    _ orders: [MoveOrder],
    asking late: inout LateQuestions,
    expecting expected: [MailboxQuestion]
  ) throws(SyncFailure) -> [TransferOutcome] {
    let session = try session()
    guard !orders.isEmpty, memory.mayAskEarly, !refusesMove, MoveFlight.canMove(session) else {
      return orders.map { _ in TransferOutcome() }
    }
    var flight = MoveFlight(session)
    var reading = LateReading(session, late)
    flight.send(orders)
    reading.send()
    let outcomes: [TransferOutcome]
    do throws(SyncFailure) {
      try questions.send(expected)
      outcomes = try flight.finish()
    } catch {
      if error.isBreak || error.isLimit { memory.refuseEarlyQuestions(because: error) }
      throw error
    }
    reading.finish()
    late = reading.late
    return outcomes
  }

  func mark(
    _ uids: [UInt32],
    unchangedSince modSequence: UInt64?,
    in mailbox: MailboxReference
  ) throws(SyncFailure) -> RemovalOutcome {
    try Expunging(open(mailbox)).mark(uids, unchangedSince: modSequence)
  }

  func expunge(
    _ uids: [UInt32],
    in mailbox: MailboxReference,
    unmarking: ([UInt32]) throws(SyncFailure) -> Void
  ) throws(SyncFailure) -> RemovalOutcome {
    try Expunging(open(mailbox)).expunge(uids, unmarking)
  }

  /// Several of an order go with one command where the server has MULTIAPPEND; it takes all of them or none (RFC 3502), so that
  /// where it refuses, each is sent alone: the others may be fine.
  func append(_ orders: [AppendOrder]) throws(SyncFailure) -> [AppendAnswer] {
    // A server that broke over as much is given one order after the other.
    guard orders.count == 1 || memory.mayAskEarly else {
      var outcomes: [AppendAnswer] = []
      for order in orders { outcomes += try append([order]) }
      return outcomes
    }
    let isTogether = try session().connection.capabilities.contains("MULTIAPPEND")
    var outcomes: [AppendAnswer]
    do throws(SyncFailure) {
      outcomes = try send(orders, isTogether: isTogether)
    } catch {
      if orders.count > 1, error.isBreak || error.isLimit {
        memory.refuseEarlyQuestions(because: error)
      }
      throw error
    }
    for (index, order) in orders.enumerated()
    where isTogether && order.messages.count > 1 && outcomes[index].isRefused {
      outcomes[index] = try send([order], isTogether: false)[0]
    }
    return outcomes
  }

  private func send(
    _ orders: [AppendOrder],
    isTogether: Bool
  ) throws(SyncFailure) -> [AppendAnswer] {
    let session = try session()
    var readings = orders.map { LateReading(session, $0.late) }
    let commands = orders.map { order in
      isTogether ? [order.messages] : order.messages.map { [$0] }
    }
    let sent = zip(orders, commands).flatMap { order, commands in
      commands.map { (order.target, $0) }
    }
    var results = try UploadStream(session.connection).send(sent) {
      for index in readings.indices { readings[index].send() }
    }[...]
    return orders.indices.map { index in
      readings[index].finish()
      let own = results.prefix(commands[index].count).flatMap { $0 }
      results = results.dropFirst(commands[index].count)
      return AppendAnswer(own, readings[index].late)
    }
  }
}

extension AppendAnswer {
  /// Whether the server refused any message.
  fileprivate var isRefused: Bool {
    results.contains { if case .refused = $0 { true } else { false } }
  }
}
