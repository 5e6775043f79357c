internal import IMAP
internal import MailModel
internal import MailStore

/// Marks messages of the open mailbox as deleted, and expunges those that are.
///
/// A server may answer OK and leave messages as they are, since the user has no right to remove them (RFC 4314 §4). So its
/// responses about them count, and without any it is asked. Not in the same round trip: some answer that from before the
/// EXPUNGE.
struct Expunging {
  private static let limit = 100_000

  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Marks messages; where a modification sequence is given, only those that did not change since.
  func mark(_ uids: [UInt32], unchangedSince: UInt64?) throws(SyncFailure) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    for piece in UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: Self.limit) {
      var marked: Set<UInt32> = []
      let command = Command.uidStore(
        piece,
        .adding([.deleted]),
        unchangedSince: unchangedSince,
        silent: false
      )
      let response = try connection.perform(command) { event in
        guard case .fetch(let fetch) = event, let uid = fetch.uid, let flags = fetch.flags,
          flags.contains(.deleted)
        else { return }
        marked.insert(uid)
      }
      guard response.kind == .ok else {
        outcome.refuse(piece, .store, ServerReply(response))
        continue
      }
      let stored = response.stored(of: piece).ranges.joined()
      outcome.done.formUnion(stored.lazy.filter(marked.contains))
      try confirm(stored.filter { !marked.contains($0) }, .mark, &outcome)
    }
    return outcome
  }

  /// Expunges those of the messages that are marked, and no other.
  func expunge(
    _ uids: [UInt32],
    _ unmarking: ([UInt32]) throws(SyncFailure) -> Void
  ) throws(SyncFailure) -> RemovalOutcome {
    connection.capabilities.hasUIDPlus
      ? try expungeByUID(uids) : try expungeAlone(Set(uids), unmarking)
  }

  private func expungeByUID(_ uids: [UInt32]) throws(SyncFailure) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    for piece in UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: Self.limit) {
      var departures = Departures()
      let response = try connection.perform(.uidExpunge(piece)) { departures.addEvent($0) }
      try finishExpunge(piece, response, departures, &outcome)
    }
    return outcome
  }

  /// Without UIDPLUS a server can only expunge all that are marked: from the others the marks are taken for that moment.
  ///
  /// EXPUNGE and the marks are pipelined, so that the server puts the marks back whatever becomes of this process. Since it
  /// may end before that, `unmarking` is called first.
  private func expungeAlone(
    _ uids: Set<UInt32>,
    _ unmarking: ([UInt32]) throws(SyncFailure) -> Void
  ) throws(SyncFailure) -> RemovalOutcome {
    var outcome = RemovalOutcome()
    var marked = Set(try MessageSearch(connection).marked())
    guard !marked.isDisjoint(with: uids) else { return outcome }
    let others = UIDSet(sortedUIDs: marked.subtracting(uids).sorted())
    if !others.isEmpty {
      try unmarking(Array(others.ranges.joined()))
      let response = try connection.perform(Self.store(others, .removing([.deleted])))
      guard response.kind == .ok else {
        outcome.refuse(UIDSet(sortedUIDs: uids.sorted()), .store, ServerReply(response))
        outcome.unmarked = Array(others.ranges.joined())
        return outcome
      }
      marked = Set(try MessageSearch(connection).marked())
    }
    // Another client may mark one more at any time.
    let isAlone = marked.isSubset(of: uids)
    try expunge(isAlone ? UIDSet(sortedUIDs: marked.sorted()) : UIDSet(), marking: others, &outcome)
    return outcome
  }

  /// Expunges all that are marked, which are these, and marks others after that, in one round trip.
  private func expunge(
    _ marked: UIDSet,
    marking others: UIDSet,
    _ outcome: inout RemovalOutcome
  ) throws(SyncFailure) {
    let expunge = marked.isEmpty ? nil : connection.send(.expunge)
    let store = others.isEmpty ? nil : connection.send(Self.store(others, .adding([.deleted])))
    var departures = Departures()
    let response = try expunge.map { (tag) throws(SyncFailure) in
      try connection.finish(tag) { departures.addEvent($0) }
    }
    if let store, try connection.finish(store, { departures.addEvent($0) }).kind != .ok {
      outcome.unmarked = Array(others.ranges.joined())
    }
    if let response { try finishExpunge(marked, response, departures, &outcome) }
  }

  /// Records the outcome of an EXPUNGE of these messages.
  private func finishExpunge(
    _ uids: UIDSet,
    _ response: StatusResponse,
    _ departures: Departures,
    _ outcome: inout RemovalOutcome
  ) throws(SyncFailure) {
    guard response.kind == .ok else {
      return outcome.refuse(uids, .expunge, ServerReply(response))
    }
    if departures.cover(uids) {
      for range in uids.ranges { outcome.done.formUnion(range) }
    } else {
      try confirm(Array(uids.ranges.joined()), .expunge, &outcome)
    }
  }

  /// What was asked of the server.
  private enum Request {
    case mark
    case expunge
  }

  /// Asks for messages of which the server reported nothing after OK to a request.
  ///
  /// Those that are gone are done, and so are those that have the `\Deleted` flag where that was wanted.
  ///
  /// One from which another client took the mark before it was expunged is neither done nor left against our will.
  private func confirm(
    _ uids: [UInt32],
    _ request: Request,
    _ outcome: inout RemovalOutcome
  ) throws(SyncFailure) {
    guard !uids.isEmpty else { return }
    var flags = try ContentQueries(connection).flags(uids)
    if request == .expunge, flags.values.contains(where: { $0.system.contains(.deleted) }) {
      // Some servers tell what went, and show it no more, with the next command only.
      _ = try connection.perform(.noop)
      flags = try ContentQueries(connection).flags(uids)
    }
    for uid in uids {
      switch (flags[uid]?.system.contains(.deleted), request) {
      case (nil, _), (true, .mark): outcome.done.insert(uid)
      case (true, .expunge): outcome.ignored.append((uid, .expunge))
      case (false, .mark): outcome.ignored.append((uid, .store))
      case (false, .expunge): break
      }
    }
  }

  private static func store(_ uids: UIDSet, _ change: FlagChange) -> Command {
    .uidStore(uids, change, unchangedSince: nil, silent: true)
  }
}

/// What a server says of messages that go, while it answers EXPUNGE.
private struct Departures {
  private var count = 0
  private var vanished: [ClosedRange<UInt32>] = []

  mutating func addEvent(_ event: Event) {
    switch event {
    case .expunge: count += 1
    case .vanished(let uids, earlier: false): vanished += uids.ranges
    default: break
    }
  }

  /// Whether these messages are gone: all by name, or just as many as they are.
  func cover(_ uids: UIDSet) -> Bool {
    count == uids.count || (!vanished.isEmpty && uids.subtracting(UIDSet(vanished)).isEmpty)
  }
}

extension RemovalOutcome {
  fileprivate mutating func refuse(_ uids: UIDSet, _ command: MailboxCommand, _ reply: ServerReply)
  {
    refused += uids.ranges.joined().map { ($0, command, reply) }
  }
}
