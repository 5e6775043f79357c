internal import MailModel
internal import MailStore
internal import SyncPlan
internal import SyncState

/// Changes flags on the server.
struct FlagPush {
  private let context: AccountContext
  private let store: any MailStore
  private let mailbox: OpenMailbox

  init(_ context: AccountContext, _ store: any MailStore, _ mailbox: OpenMailbox) {
    self.context = context
    self.store = store
    self.mailbox = mailbox
  }

  /// Carries out the changes.
  func run(_ stores: [FlagStore]) throws(SyncFailure) {
    guard !stores.isEmpty else { return }
    let outcome = try store.change(stores, in: mailbox.reference)
    let records = agreed(outcome.stored)
    try mailbox.record(records)
    mailbox.report.stored += records.count
    if outcome.forbidden > 0 {
      mailbox.report.blocked[.notPermitted, default: 0] += outcome.forbidden
    }
    if !outcome.gone.isEmpty { mailbox.isComplete = false }
    let refusals = outcome.refused.compactMap { uid, reply in
      mailbox.state.messages[uid].map { PushRefusal(mailbox, $0.name, "STORE", reply) }
    }
    if !refusals.isEmpty { context.report(.refused(refusals)) }
    for (uid, reply) in outcome.refused {
      mailbox.fail(.message(uid: uid, .refused("STORE", reply)), context)
    }
  }

  /// Only what was stored is agreed on now: what the server changed may not be shown by the file yet.
  private func agreed(_ stores: [FlagStore]) -> [StateRecord] {
    let state = mailbox.state
    return stores.compactMap { store in
      guard var flags = state.messages[store.uid]?.flags else { return nil }
      flags.system = flags.system.union(store.adding).subtracting(store.removing)
      return .flags(uid: store.uid, flags)
    }
  }
}
