internal import IMAP
internal import MailModel
internal import MailStore

/// Marks messages of the open mailbox as deleted, and expunges those that are.
struct Expunging {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Marks messages; where a modification sequence above 0 is given, only those that did not change since.
  func mark(_ uids: [UInt32], unchangedSince: UInt64) throws(SyncFailure) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    for piece in UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: 100_000) {
      let response = try connection.perform(
        .uidStore(
          piece,
          .adding([.deleted]),
          unchangedSince: unchangedSince > 0 ? unchangedSince : nil,
          silent: true
        )
      )
      guard response.kind == .ok else {
        outcome.refuse(piece, "STORE", ServerReply(response))
        continue
      }
      for range in response.stored(of: piece).ranges { outcome.done.formUnion(range) }
    }
    return outcome
  }

  /// Expunges those of the messages that are marked, and no other.
  func expunge(_ uids: [UInt32]) throws(SyncFailure) -> RemovalOutcome {
    connection.capabilities.hasUIDPlus ? try expungeByUID(uids) : try expungeAlone(Set(uids))
  }

  private func expungeByUID(_ uids: [UInt32]) throws(SyncFailure) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    for piece in UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: 100_000) {
      let response = try connection.perform(.uidExpunge(piece))
      if response.kind == .ok {
        for range in piece.ranges { outcome.done.formUnion(range) }
      } else {
        outcome.refuse(piece, "EXPUNGE", ServerReply(response))
      }
    }
    return outcome
  }

  /// Without UIDPLUS a server can only expunge all that are marked: from the others the marks are taken for that moment.
  ///
  /// EXPUNGE and the marks go in one flight, so that the server puts the marks back whatever becomes of this process.
  private func expungeAlone(_ uids: Set<UInt32>) throws(SyncFailure) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    var marked = Set(try MessageSearch(connection).marked())
    guard !marked.isDisjoint(with: uids) else { return outcome }
    let others = UIDSet(sortedUIDs: marked.subtracting(uids).sorted())
    if !others.isEmpty {
      if let refusal = try changeMarks(others, .removing([.deleted])) {
        outcome.refuse(UIDSet(sortedUIDs: uids.sorted()), "STORE", refusal)
        return outcome
      }
      marked = Set(try MessageSearch(connection).marked())
    }
    // Another client may mark one more at any time.
    let isAlone = marked.isSubset(of: uids)
    var commands = isAlone ? [Command.expunge] : []
    if !others.isEmpty { commands.append(Self.store(others, .adding([.deleted]))) }
    let tags = commands.map { connection.send($0) }
    var responses: [StatusResponse] = []
    for tag in tags { responses.append(try connection.finish(tag)) }
    guard isAlone, let response = responses.first else { return outcome }
    if response.kind == .ok {
      outcome.done = marked
    } else {
      outcome.refuse(UIDSet(sortedUIDs: uids.sorted()), "EXPUNGE", ServerReply(response))
    }
    return outcome
  }

  private func changeMarks(
    _ uids: UIDSet,
    _ change: FlagChange
  ) throws(SyncFailure) -> ServerReply? {
    let response = try connection.perform(Self.store(uids, change))
    return response.kind == .ok ? nil : ServerReply(response)
  }

  private static func store(_ uids: UIDSet, _ change: FlagChange) -> Command {
    .uidStore(uids, change, unchangedSince: nil, silent: true)
  }
}

extension RemovalOutcome {
  fileprivate mutating func refuse(_ uids: UIDSet, _ command: String, _ reply: ServerReply) {
    refused += uids.ranges.joined().map { ($0, command, reply) }
  }
}
