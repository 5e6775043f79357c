internal import IMAP
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

  /// Expunges marked messages; without UIDPLUS all that are marked, and only where all are `ours`.
  func expunge(_ uids: [UInt32], among ours: Set<UInt32>) throws(SyncFailure) -> RemovalOutcome {
    connection.capabilities.hasUIDPlus
      ? try expungeByUID(uids) : try expungeAll(uids, ours)
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

  private func expungeAll(
    _ uids: [UInt32],
    _ ours: Set<UInt32>
  ) throws(SyncFailure) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    guard try MessageSearch(connection).marked().allSatisfy(ours.contains) else { return outcome }
    let response = try connection.perform(.expunge)
    if response.kind == .ok {
      outcome.done = Set(uids)
    } else {
      outcome.refuse(UIDSet(sortedUIDs: uids.sorted()), "EXPUNGE", ServerReply(response))
    }
    return outcome
  }
}

extension RemovalOutcome {
  fileprivate mutating func refuse(_ uids: UIDSet, _ command: String, _ reply: ServerReply) {
    refused += uids.ranges.joined().map { ($0, command, reply) }
  }
}
