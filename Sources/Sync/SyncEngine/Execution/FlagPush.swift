internal import MailModel
internal import MailStore
internal import Mailboxes
internal import SyncPlan
internal import SyncState

/// Changes flags on the server.
struct FlagPush {
  private let store: any MailStore
  private let mailbox: OpenMailbox
  /// Whether nothing else of the mailbox is for the server.
  private let isLast: Bool

  init(_ store: any MailStore, _ mailbox: OpenMailbox, isLast: Bool) {
    self.store = store
    self.mailbox = mailbox
    self.isLast = isLast
  }

  /// Carries out the changes: of flags first, since a server may take these and no keywords.
  func pushFlags(_ stores: [FlagStore], _ outcome: inout StepOutcome.Part) throws(SyncFailure) {
    let keywords = stores.filter { !$0.keywords.isEmpty }
    let asked = isLast ? [mailbox] : []
    var late = LateQuestions(about: keywords.isEmpty ? asked : [], behind: stores.count)
    for (uid, reply) in try change(stores.filter(\.keywords.isEmpty), asking: &late, &outcome) {
      if let record = mailbox.state.messages[uid] {
        outcome.refusals.append(PushRefusal(mailbox, record.name, .refused(.store, reply)))
      }
      outcome.fail(.message(uid: uid, .refused(.store, reply)))
    }
    // A server that takes no more keywords, or none at all: they stay here.
    late = LateQuestions(about: asked, behind: stores.count)
    let refused = try change(keywords, asking: &late, &outcome)
    outcome.refusedTags.formUnion(refused.map(\.uid))
  }

  /// Gives the messages of which the server refused the change.
  private func change(
    _ stores: [FlagStore],
    asking late: inout LateQuestions,
    _ outcome: inout StepOutcome.Part
  ) throws(SyncFailure) -> [(uid: UInt32, reply: ServerReply)] {
    guard !stores.isEmpty else { return [] }
    try announce(stores)
    let changes = try store.change(stores, in: mailbox.reference, asking: &late)
    late.recordAnswers(in: [mailbox])
    try mailbox.record(agreed(changes.stored) + unchanged(stores, but: changes.stored))
    outcome.counts.stored += changes.stored.count
    if changes.forbidden > 0 {
      outcome.counts.blocked[.notPermitted, default: 0] += changes.forbidden
    }
    if !changes.gone.isEmpty { outcome.isComplete = false }
    return changes.refused.map { ($0, $1) }
  }

  /// Records what is about to be stored: an interrupted run must not leave a flag on the server that looks as if another
  /// client had set it there.
  private func announce(_ stores: [FlagStore]) throws(SyncFailure) {
    let changing = stores.filter { !$0.adding.union($0.removing).isEmpty }
    try mailbox.record(
      changing.map {
        .flagsUnderWay(uid: $0.uid, FlagsUnderWay(stored: $0.adding.union($0.removing)))
      }
    )
  }

  /// The others are no longer under way.
  private func unchanged(_ stores: [FlagStore], but done: [FlagStore]) -> [StateRecord] {
    let (state, done) = (mailbox.state, Set(done.map(\.uid)))
    return stores.compactMap { store in
      guard !done.contains(store.uid), state.underWay[store.uid] != nil,
        let flags = state.messages[store.uid]?.flags
      else { return nil }
      return .flags(uid: store.uid, flags)
    }
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
