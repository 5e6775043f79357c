internal import IMAP
internal import SyncPlan

/// Changes flags on the server: as few STOREs as there are different changes, all in one flight.
struct FlagPush {
  /// What is changed in the same way.
  private struct Change: Hashable {
    let adding: SystemFlags
    let removing: SystemFlags

    /// So that every run sends them in the same order.
    var order: Int { Int(adding.rawValue) << 8 | Int(removing.rawValue) }
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

  /// Carries out the stores among the actions; the others are left alone.
  func run(_ actions: [Action]) throws(SyncFailure) {
    let batches = batches(actions)
    guard !batches.isEmpty else { return }
    try session.open(mailbox)
    try store(batches)
  }

  private func batches(_ actions: [Action]) -> [Batch] {
    var changes: [Change: [UInt32]] = [:]
    for case .store(let uid, let adding, let removing) in actions.map(\.kind) {
      changes[Change(adding: adding, removing: removing), default: []].append(uid)
    }
    return changes.sorted { $0.key.order < $1.key.order }.flatMap { change, uids in
      UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: 100_000).map { piece in
        Batch(change: change, uids: piece)
      }
    }
  }

  /// A server that refuses a set because of one message takes the others when asked for each half.
  private func store(_ batches: [Batch]) throws(SyncFailure) {
    let tags = batches.map { batch in commands(batch).map { session.connection.send($0) } }
    var records: [StateRecord] = []
    var refused: [(batch: Batch, reason: StatusResponse)] = []
    for (batch, tags) in zip(batches, tags) {
      if let reason = try finish(tags, batch.uids) {
        refused.append((batch, reason))
      } else {
        records += agreed(batch)
      }
    }
    try mailbox.record(records)
    mailbox.report.stored += records.count
    for (batch, reason) in refused {
      if batch.uids.count > 1 { try store(halves(batch)) } else { fail(batch, reason) }
    }
  }

  /// Only what was stored is agreed on now: what the server changed may not be shown by the file yet.
  private func agreed(_ batch: Batch) -> [StateRecord] {
    let state = mailbox.state
    return batch.uids.ranges.joined().compactMap { uid in
      guard var flags = state.messages[uid]?.flags else { return nil }
      flags.system = flags.system.union(batch.change.adding).subtracting(batch.change.removing)
      return .flags(uid: uid, flags)
    }
  }

  /// Waits for the replies; gives the server's words where it refuses.
  private func finish(_ tags: [Tag], _ uids: UIDSet) throws(SyncFailure) -> StatusResponse? {
    var refusal: StatusResponse?
    for tag in tags {
      let response = try session.connection.finish(tag)
      if response.stored(of: uids).count < uids.count { refusal = refusal ?? response }
    }
    return refusal
  }

  private func commands(_ batch: Batch) -> [Command] {
    let change = batch.change
    var changes: [FlagChange] = []
    if !change.adding.isEmpty { changes.append(.adding(FlagTranslation.wire(change.adding))) }
    if !change.removing.isEmpty { changes.append(.removing(FlagTranslation.wire(change.removing))) }
    return changes.map { .uidStore(batch.uids, $0, unchangedSince: nil, silent: true) }
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
