internal import IMAP
internal import MailModel
internal import SyncPlan

/// Changes flags on the server: as few STOREs as there are different changes, all in one flight.
///
/// A server says OK to a STORE of a message that went away meanwhile too (RFC 9051 §6.4.9). Only of a message that it
/// tells the flags of, or that is still there when asked for, are the flags agreed on: wherever it went, it went
/// without them.
struct FlagPush {
  /// What is changed in the same way.
  private struct Change: Hashable {
    let adding: SystemFlags
    let removing: SystemFlags

    /// So that every run sends them in the same order.
    var order: Int { Int(adding.rawValue) << 8 | Int(removing.rawValue) }

    /// Whether these flags are as they are after the change.
    func isShown(by flags: SystemFlags) -> Bool {
      flags.isSuperset(of: adding) && flags.isDisjoint(with: removing)
    }
  }

  /// A change of several messages.
  private struct Batch {
    let change: Change
    let uids: UIDSet
  }

  private let context: AccountContext
  private let session: MailboxSession
  private let mailbox: OpenMailbox

  init(_ context: AccountContext, _ session: MailboxSession, _ mailbox: OpenMailbox) {
    self.context = context
    self.session = session
    self.mailbox = mailbox
  }

  /// Carries out the changes.
  func run(_ stores: [FlagStore]) throws(SyncFailure) {
    let batches = batches(stores)
    guard !batches.isEmpty else { return }
    try session.open(mailbox)
    try store(batches)
  }

  private func batches(_ stores: [FlagStore]) -> [Batch] {
    var changes: [Change: [UInt32]] = [:]
    for store in stores {
      let change = Change(adding: store.adding, removing: store.removing)
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
  /// What the user has no right to change (RFC 5530 §3) stays as it is here, and is no failure of every run from now on:
  /// each asks once, for all messages together, in case the right was given meanwhile.
  private func store(_ batches: [Batch]) throws(SyncFailure) {
    let tags = batches.map { batch in commands(batch).map { session.connection.send($0) } }
    var stored: [Batch] = []
    var refused: [(batch: Batch, reason: StatusResponse)] = []
    var told: [UInt32: SystemFlags] = [:]
    for (batch, tags) in zip(batches, tags) {
      if let reason = try finish(tags, batch.uids, &told) {
        refused.append((batch, reason))
      } else {
        stored.append(batch)
      }
    }
    let gone = try gone(stored, told)
    let records = stored.flatMap { agreed($0, but: gone) }
    try mailbox.record(records)
    mailbox.report.stored += records.count
    for (batch, reason) in refused {
      if reason.code == .noPermission {
        mailbox.report.blocked[.notPermitted, default: 0] += batch.uids.count
      } else if batch.uids.count > 1 {
        try store(halves(batch))
      } else {
        fail(batch, reason)
      }
    }
  }

  /// The messages of which the server did not say that they now have their flags, and that it has no more.
  private func gone(
    _ stored: [Batch],
    _ told: [UInt32: SystemFlags]
  ) throws(SyncFailure) -> Set<UInt32> {
    let untold = stored.flatMap { batch in
      batch.uids.ranges.joined().filter { uid in !(told[uid].map(batch.change.isShown) ?? false) }
    }
    guard !untold.isEmpty else { return [] }
    let there = try ContentQueries(session.connection).flags(Array(Set(untold)))
    let gone = Set(untold).subtracting(there.keys)
    if !gone.isEmpty { mailbox.isComplete = false }
    return gone
  }

  /// Only what was stored is agreed on now: what the server changed may not be shown by the file yet.
  private func agreed(_ batch: Batch, but gone: Set<UInt32>) -> [StateRecord] {
    let state = mailbox.state
    return batch.uids.ranges.joined().compactMap { uid in
      guard !gone.contains(uid), var flags = state.messages[uid]?.flags else { return nil }
      flags.system = flags.system.union(batch.change.adding).subtracting(batch.change.removing)
      return .flags(uid: uid, flags)
    }
  }

  /// Waits for the replies; gives the server's words where it refuses.
  ///
  /// `told` are the flags it tells by the way.
  private func finish(
    _ tags: [Tag],
    _ uids: UIDSet,
    _ told: inout [UInt32: SystemFlags]
  ) throws(SyncFailure) -> StatusResponse? {
    var refusal: StatusResponse?
    for tag in tags {
      let response = try session.connection.finish(tag) { event in
        guard case .fetch(let fetch) = event, let uid = fetch.uid, let flags = fetch.flags else {
          return
        }
        told[uid] = MessageFlags(flags).system
      }
      if response.stored(of: uids).count < uids.count { refusal = refusal ?? response }
    }
    return refusal
  }

  private func commands(_ batch: Batch) -> [Command] {
    let change = batch.change
    var changes: [FlagChange] = []
    if !change.adding.isEmpty { changes.append(.adding(change.adding.imapFlags)) }
    if !change.removing.isEmpty { changes.append(.removing(change.removing.imapFlags)) }
    return changes.map { .uidStore(batch.uids, $0, unchangedSince: nil, silent: false) }
  }

  private func halves(_ batch: Batch) -> [Batch] {
    batch.uids.pieces(ofAtMost: (batch.uids.count + 1) / 2).map { half in
      Batch(change: batch.change, uids: half)
    }
  }

  private func fail(_ batch: Batch, _ reason: StatusResponse) {
    for uid in batch.uids.ranges.joined() {
      mailbox.fail(.message(uid: uid, .refused("STORE", reason)), context)
    }
  }
}
