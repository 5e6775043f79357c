internal import IMAP
internal import MailModel
internal import MailStore
internal import SyncPlan

// What is changed in mailboxes.
extension IMAPStore {
  func change(
    _ stores: [FlagStore],
    in mailbox: MailboxReference,
    asking late: inout LateQuestions
  ) throws(SyncFailure) -> FlagOutcome {
    guard !stores.isEmpty else { return FlagOutcome() }
    let session = try session()
    var changes = FlagChanges(session, mailbox, LateReading(session, late))
    let outcome = try changes.storeFlags(stores)
    late = changes.reading.late
    return outcome
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
    var reading = LateReading(try session(), late)
    let isMove = traits.movesAtOnce
    var transfer = ServerTransfer(connection, isMove: isMove)
    let outcomes = try transfer.sendOrders(orders) { reading.send() }
    recordRefusals(transfer.refusals, ofMove: isMove)
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

  /// Several go with one command where the server has MULTIAPPEND; it takes all of them or none (RFC 3502), so that where it
  /// refuses, each is sent alone: the others may be fine.
  func append(
    _ messages: [any MessageSource],
    to name: MailboxName,
    asking late: inout LateQuestions
  ) throws(SyncFailure) -> [AppendResult] {
    let capabilities = try session().connection.capabilities
    guard messages.count > 1, capabilities.contains("MULTIAPPEND") else {
      return try send(messages.map { [$0] }, to: name, &late)
    }
    let results = try send([messages], to: name, &late)
    guard results.contains(where: { if case .refused = $0 { true } else { false } }) else {
      return results
    }
    return try send(messages.map { [$0] }, to: name, &late)
  }

  private func send(
    _ commands: [[any MessageSource]],
    to name: MailboxName,
    _ late: inout LateQuestions
  ) throws(SyncFailure) -> [AppendResult] {
    let session = try session()
    var reading = LateReading(session, late)
    let results = try UploadStream(session.connection, to: name).send(commands) { reading.send() }
    reading.finish()
    late = reading.late
    return results.flatMap { $0 }
  }
}
