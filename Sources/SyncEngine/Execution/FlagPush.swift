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

  /// Carries out the changes: of flags first, since a server may take these and no keywords.
  func run(_ stores: [FlagStore]) throws(SyncFailure) {
    try change(stores.filter(\.keywords.isEmpty)) { uid, reply in
      if let record = mailbox.state.messages[uid] {
        context.report(.refused([PushRefusal(mailbox, record.name, "STORE", reply)]))
      }
      mailbox.fail(.message(uid: uid, .refused("STORE", reply)), context)
    }
    // A server that takes no more keywords, or none at all: they stay here.
    try change(stores.filter { !$0.keywords.isEmpty }) { uid, _ in
      mailbox.refusedTags.insert(uid)
    }
  }

  private func change(
    _ stores: [FlagStore],
    refused: (UInt32, ServerReply) -> Void
  ) throws(SyncFailure) {
    guard !stores.isEmpty else { return }
    let outcome = try store.change(stores, in: mailbox.reference)
    let records = agreed(outcome.stored)
    try mailbox.record(records)
    mailbox.report.stored += records.count
    if outcome.forbidden > 0 {
      mailbox.report.blocked[.notPermitted, default: 0] += outcome.forbidden
    }
    if !outcome.gone.isEmpty { mailbox.isComplete = false }
    for (uid, reply) in outcome.refused { refused(uid, reply) }
  }

  /// Only what was stored is agreed on now: what the server changed may not be shown by the file yet.
  private func agreed(_ stores: [FlagStore]) -> [StateRecord] {
    let state = mailbox.state
    return stores.compactMap { store in
      guard let flags = state.messages[store.uid]?.flags else { return nil }
      let system = flags.system.union(store.adding).subtracting(store.removing)
      let keywords = store.keywords.applied(to: flags.keywords)
      return .flags(uid: store.uid, MessageFlags(system, keywords: keywords))
    }
  }
}
