internal import IMAP
internal import MailModel
internal import MailStore
internal import SyncPlan

/// Changes flags in a mailbox: as few STOREs as there are different changes, all in one round trip.
///
/// A server says OK to a STORE of a message that went away meanwhile too (RFC 9051 §6.4.9). Only of a message that it
/// tells the flags of, or that is still there when asked for, are the flags changed: wherever it went, it went
/// without them. One that is there without them is not the user's to change (RFC 4314 §4).
struct FlagChanges {
  /// What is changed in the same way.
  private struct Change: Hashable {
    let adding: SystemFlags
    let removing: SystemFlags
    let keywords: KeywordChange

    /// So that every run sends them in the same order.
    var order: Int { Int(adding.rawValue) << 8 | Int(removing.rawValue) }

    /// Whether these flags are as they are after the change.
    func isShown(by flags: SystemFlags) -> Bool {
      flags.isSuperset(of: adding) && flags.isDisjoint(with: removing)
    }

    /// The commands that change it.
    func commands(_ uids: UIDSet) -> [Command] {
      var changes: [FlagChange] = []
      let added = adding.imapFlags + keywords.adding.map { Flag.keyword($0) }
      let removed = removing.imapFlags + keywords.removing.map { Flag.keyword($0) }
      if !added.isEmpty { changes.append(.adding(added)) }
      if !removed.isEmpty { changes.append(.removing(removed)) }
      return changes.map { .uidStore(uids, $0, unchangedSince: nil, silent: false) }
    }
  }

  /// A change of several messages.
  private struct Batch {
    let change: Change
    let uids: UIDSet

    var halves: [Batch] {
      uids.pieces(ofAtMost: (uids.count + 1) / 2).map { Batch(change: change, uids: $0) }
    }
  }

  private let session: MailboxSession
  private let mailbox: MailboxReference
  /// What is asked behind the first commands.
  private(set) var reading: LateReading
  private var outcome = FlagOutcome()

  init(_ session: MailboxSession, _ mailbox: MailboxReference, _ reading: LateReading) {
    self.session = session
    self.mailbox = mailbox
    self.reading = reading
  }

  private var connection: Connection { session.connection }

  /// Makes the changes.
  mutating func storeFlags(_ stores: [FlagStore]) throws(SyncFailure) -> FlagOutcome {
    try store(Self.batches(stores))
    return outcome
  }

  private static func batches(_ stores: [FlagStore]) -> [Batch] {
    var changes: [Change: [UInt32]] = [:]
    for store in stores {
      let change = Change(
        adding: store.adding,
        removing: store.removing,
        keywords: store.keywords
      )
      changes[change, default: []].append(store.uid)
    }
    return changes.sorted { $0.key.order < $1.key.order }.flatMap { change, uids in
      UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: 100_000).map { piece in
        Batch(change: change, uids: piece)
      }
    }
  }

  /// A server that refuses a set because of one message takes the others when asked for each half.
  ///
  /// Flags that the user has no right to change (RFC 5530 §3) stay as they are here, and are no failure of later runs. Each run
  /// asks once, for all messages together, in case the right was given meanwhile.
  private mutating func store(_ batches: [Batch]) throws(SyncFailure) {
    guard !batches.isEmpty else { return }
    try session.open(mailbox)
    let tags = batches.map { batch in batch.change.commands(batch.uids).map(connection.send) }
    reading.send()
    var stored: [Batch] = []
    var refused: [(batch: Batch, reason: ServerReply)] = []
    var told: [UInt32: SystemFlags] = [:]
    for (batch, tags) in zip(batches, tags) {
      if let reason = try finish(tags, batch.uids, &told) {
        refused.append((batch, reason))
      } else {
        stored.append(batch)
      }
    }
    reading.finish()
    try recordChanges(stored, told)
    for (batch, reason) in refused {
      if reason.cause == .forbidden {
        outcome.forbidden += batch.uids.count
      } else if batch.uids.count > 1 {
        try store(batch.halves)
      } else {
        outcome.refused += batch.uids.ranges.joined().map { ($0, reason) }
      }
    }
  }

  /// Records which messages were changed, and which are gone: of these the server did not report the new flags.
  private mutating func recordChanges(
    _ stored: [Batch],
    _ told: [UInt32: SystemFlags]
  ) throws(SyncFailure) {
    let untold = stored.flatMap { batch in
      batch.uids.ranges.joined().filter { uid in !(told[uid].map(batch.change.isShown) ?? false) }
    }
    var there: [UInt32: MessageFlags] = [:]
    if !untold.isEmpty {
      try session.open(mailbox)
      there = try ContentQueries(connection).flags(Array(Set(untold)))
      outcome.gone.formUnion(Set(untold).subtracting(there.keys))
    }
    for batch in stored {
      for uid in batch.uids.ranges.joined() where !outcome.gone.contains(uid) {
        let change = batch.change
        if let flags = there[uid], !change.isShown(by: flags.system) {
          outcome.forbidden += 1
          continue
        }
        outcome.stored.append(
          FlagStore(
            uid: uid,
            adding: change.adding,
            removing: change.removing,
            keywords: change.keywords
          )
        )
      }
    }
  }

  /// Waits for the replies; gives the server's words where it refuses.
  ///
  /// `told` are the flags it tells by the way.
  private func finish(
    _ tags: [CommandTag],
    _ uids: UIDSet,
    _ told: inout [UInt32: SystemFlags]
  ) throws(SyncFailure) -> ServerReply? {
    var refusal: ServerReply?
    for tag in tags {
      let response = try connection.finish(tag) { event in
        guard case .fetch(let fetch) = event, let uid = fetch.uid, let flags = fetch.flags else {
          return
        }
        told[uid] = MessageFlags(flags).system
      }
      if response.stored(of: uids).count < uids.count { refusal = refusal ?? ServerReply(response) }
    }
    return refusal
  }
}
