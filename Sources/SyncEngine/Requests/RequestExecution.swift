internal import IMAP
internal import MailModel
internal import SyncPlan

/// Sends what a request asks for; the mailbox of the message is open for changes.
struct RequestExecution {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Takes the step.
  func run(_ step: RequestStep) throws(SyncFailure) -> RequestOutcome {
    switch step {
    case .store(let uid, let adding, let removing): try store(uid, adding, removing)
    case .transfer(let uid, let target, let isTrash, _): try transfer(uid, target, isTrash)
    case .remove(let uid): try remove(uid)
    }
  }

  /// A server says OK to a STORE of a message that went away meanwhile too (RFC 9051 §6.4.9).
  private func store(
    _ uid: UInt32,
    _ adding: [Flag],
    _ removing: [Flag]
  ) throws(SyncFailure) -> RequestOutcome {
    var changes: [FlagChange] = []
    if !adding.isEmpty { changes.append(.adding(adding)) }
    if !removing.isEmpty { changes.append(.removing(removing)) }
    if let refusal = try send(changes, uid) { return refusal }
    let isThere = try ContentQueries(connection).flags([uid])[uid] != nil
    return isThere ? .done : .impossible(.gone)
  }

  /// The server's words against one of the changes; nil where it took all.
  private func send(
    _ changes: [FlagChange],
    _ uid: UInt32
  ) throws(SyncFailure) -> RequestOutcome? {
    let set = UIDSet(sortedUIDs: [uid])
    let tags = changes.map {
      connection.send(.uidStore(set, $0, unchangedSince: nil, silent: true))
    }
    var refusal: StatusResponse?
    for tag in tags {
      let response = try connection.finish(tag)
      if response.kind != .ok { refusal = refusal ?? response }
    }
    return refusal.map { .refused(command: "STORE", $0) }
  }

  /// What the server does not name as arrived the next attempt looks for.
  private func transfer(
    _ uid: UInt32,
    _ target: MailboxName,
    _ isTrash: Bool
  ) throws(SyncFailure) -> RequestOutcome {
    if isTrash, let refusal = try clearMark(uid) { return refusal }
    let canMove = connection.capabilities.canMove
    let outcome = try ServerTransfer(connection, to: target).run(UIDSet(sortedUIDs: [uid]))
    if let response = outcome.refusal {
      return .refused(command: canMove ? "MOVE" : "COPY", response)
    }
    guard outcome.pairs[uid] != nil else { return .unnamed }
    return canMove ? .done : try remove(uid)
  }

  /// In Trash a message is not to look as if it were on its way out of it.
  private func clearMark(_ uid: UInt32) throws(SyncFailure) -> RequestOutcome? {
    let flags = try ContentQueries(connection).flags([uid])[uid]
    guard flags?.system.contains(.deleted) == true else { return nil }
    return try send([.removing([.deleted])], uid)
  }

  /// A server without UIDPLUS can only expunge all that is marked, and does so only where nothing else is; as long as
  /// something is, this message is not marked either, for whoever did that may be waiting for the same.
  private func remove(_ uid: UInt32) throws(SyncFailure) -> RequestOutcome {
    let canExpungeOne = connection.capabilities.hasUIDPlus
    if !canExpungeOne, try hasOtherMarks(uid) { return .marked }
    if let refusal = try send([.adding([.deleted])], uid) { return refusal }
    if !canExpungeOne, try hasOtherMarks(uid) {
      _ = try send([.removing([.deleted])], uid)
      return .marked
    }
    let command: Command =
      canExpungeOne ? .uidExpunge(UIDSet(sortedUIDs: [uid])) : .expunge
    let response = try connection.perform(command)
    guard response.kind != .ok else { return .done }
    if response.kind == .no { _ = try send([.removing([.deleted])], uid) }
    return .refused(command: "EXPUNGE", response)
  }

  private func hasOtherMarks(_ uid: UInt32) throws(SyncFailure) -> Bool {
    try MessageSearch(connection).marked().contains { $0 != uid }
  }
}
