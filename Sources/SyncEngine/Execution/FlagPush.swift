internal import MailModel
internal import MailStore
internal import Mailboxes
internal import SyncEvents
internal import SyncPlan
internal import SyncState

/// Changes flags on the server.
struct FlagPush {
  private let store: any MailStore
  private let mailbox: OpenMailbox

  init(_ store: any MailStore, _ mailbox: OpenMailbox) {
    self.store = store
    self.mailbox = mailbox
  }

  /// Carries out the changes: of flags first, since a server may take these and no keywords.
  func run(_ stores: [FlagStore], _ outcome: inout StepOutcome.Part) throws(SyncFailure) {
    for (uid, reply) in try change(stores.filter(\.keywords.isEmpty), &outcome) {
      if let record = mailbox.state.messages[uid] {
        outcome.refusals.append(PushRefusal(mailbox, record.name, "STORE", reply))
      }
      outcome.fail(.message(uid: uid, .refused("STORE", reply)))
    }
    // A server that takes no more keywords, or none at all: they stay here.
    let keywords = try change(stores.filter { !$0.keywords.isEmpty }, &outcome)
    outcome.refusedTags.formUnion(keywords.map(\.uid))
  }

  /// Gives the messages of which the server refused the change.
  private func change(
    _ stores: [FlagStore],
    _ outcome: inout StepOutcome.Part
  ) throws(SyncFailure) -> [(uid: UInt32, reply: ServerReply)] {
    guard !stores.isEmpty else { return [] }
    let changes = try store.change(stores, in: mailbox.reference)
    let records = agreed(changes.stored)
    try mailbox.record(records)
    outcome.counts.stored += records.count
    if changes.forbidden > 0 {
      outcome.counts.blocked[.notPermitted, default: 0] += changes.forbidden
    }
    if !changes.gone.isEmpty { outcome.isComplete = false }
    return changes.refused.map { ($0, $1) }
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
