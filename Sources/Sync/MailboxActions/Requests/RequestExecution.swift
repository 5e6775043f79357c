internal import MailModel
internal import MailStore
internal import SyncPlan

/// Sends what a request asks for.
struct RequestExecution {
  private let store: any MailStore
  private let step: RequestStep

  init(_ step: RequestStep, on store: any MailStore) {
    self.store = store
    self.step = step
  }

  private var uid: UInt32 { step.uid }
  private var mailbox: MailboxReference { step.mailbox }

  /// Takes the step.
  func carryOutStep() throws(SyncFailure) -> RequestResult {
    switch step.change {
    case .store(let adding, let removing): try change(adding, removing)
    case .transfer(let target, let isTrash, _): try transfer(target, isTrash)
    case .remove: try remove()
    }
  }

  /// A server says OK to a STORE of a message that went away meanwhile too (RFC 9051 §6.4.9).
  private func change(
    _ adding: [[UInt8]],
    _ removing: [[UInt8]]
  ) throws(SyncFailure) -> RequestResult {
    if let refusal = try store.change(uid, adding: adding, removing: removing, in: mailbox) {
      return .refused(.store, refusal)
    }
    let isThere = try store.flags(of: [uid], in: mailbox)[uid] != nil
    return isThere ? .done : .impossible(.gone)
  }

  /// What the server does not name as arrived the next attempt looks for.
  private func transfer(
    _ target: MailboxName,
    _ isTrash: Bool
  ) throws(SyncFailure) -> RequestResult {
    if isTrash, let refusal = try clearMark() {
      return .refused(.store, refusal)
    }
    let movesAtOnce = store.traits.movesAtOnce
    let outcome = try store.transfer([uid], from: mailbox, to: target)
    // It does not carry out MOVE, as this showed: it is asked for a copy.
    if movesAtOnce, !store.traits.movesAtOnce { return try transfer(target, false) }
    if let refusal = outcome.refusal {
      return .refused(movesAtOnce ? .move : .copy, refusal)
    }
    guard outcome.pairs[uid] != nil else { return .unnamed }
    return movesAtOnce ? .done : try remove()
  }

  /// In Trash a message is not to look as if it were on its way out of it.
  private func clearMark() throws(SyncFailure) -> ServerReply? {
    let flags = try store.flags(of: [uid], in: mailbox)[uid]
    guard flags?.system.contains(.deleted) == true else { return nil }
    return try unmark()
  }

  private func unmark() throws(SyncFailure) -> ServerReply? {
    let outcome = try store.change(
      [FlagStore(uid: uid, adding: [], removing: .deleted)],
      in: mailbox
    )
    return outcome.refused.first?.reply
  }

  private func remove() throws(SyncFailure) -> RequestResult {
    let marking = try store.mark([uid], unchangedSince: nil, in: mailbox)
    if let (_, command, reply) = marking.refused.first {
      return .refused(command, reply)
    }
    guard marking.ignored.isEmpty else { return .ignored(.store) }
    let outcome = try store.expunge([uid], in: mailbox) { _ in }
    if outcome.done.contains(uid) { return .done }
    _ = try unmark()
    if !outcome.ignored.isEmpty { return .ignored(.expunge) }
    guard let (_, command, reply) = outcome.refused.first else { return .marked }
    return .refused(command, reply)
  }
}
