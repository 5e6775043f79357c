internal import MailModel
internal import MailStore
internal import Mailboxes
internal import SyncPlan
internal import SyncState

/// Changes flags on the server, in several mailboxes at once.
///
/// What is under way is on record for all of them before the first change is sent, and what came of it before anything else is
/// done.
struct FlagPush {
  /// The changes of one mailbox that are sent together.
  private struct Lot {
    let mailbox: OpenMailbox
    let stores: [FlagStore]
    let late: LateQuestions

    var order: FlagOrder {
      let messages = mailbox.state.messages
      var sizes: [UInt32: UInt64] = [:]
      for store in stores { sizes[store.uid] = messages[store.uid]?.size }
      return FlagOrder(stores, in: mailbox.reference, sizes: sizes, asking: late)
    }
  }

  /// What they came to.
  private(set) var outcome = StepOutcome()
  /// The mailboxes in which nothing more can be done, and why.
  private(set) var failures: [MailboxFailure] = []

  private let store: any MailStore

  init(_ store: any MailStore) {
    self.store = store
  }

  /// Carries out the changes of the plans: of flags first, since a server may take these and no keywords.
  mutating func push(_ mailboxes: [OpenMailbox]) throws(SyncFailure) {
    var (flags, keywords): ([Lot], [Lot]) = ([], [])
    for mailbox in mailboxes {
      let plan = mailbox.remainingPlan
      let all = plan.stores.map(\.step)
      let ofKeywords = all.filter { !$0.keywords.isEmpty }
      // Behind the last command that is for the mailbox.
      let asked = plan.hasOtherPushes ? [] : [mailbox]
      let late = LateQuestions(about: asked, behind: all.count)
      let lateForFlags = ofKeywords.isEmpty ? late : LateQuestions()
      flags.append(
        Lot(mailbox: mailbox, stores: all.filter(\.keywords.isEmpty), late: lateForFlags)
      )
      keywords.append(Lot(mailbox: mailbox, stores: ofKeywords, late: late))
    }
    for (mailbox, refused) in try change(flags) {
      for (uid, reply) in refused {
        if let record = mailbox.state.messages[uid] {
          outcome[mailbox].refusals.append(
            PushRefusal(mailbox, record.name, .refused(.store, reply))
          )
        }
        outcome[mailbox].fail(.message(uid: uid, .refused(.store, reply)))
      }
    }
    // A server that takes no more keywords, or none at all: they stay here.
    for (mailbox, refused) in try change(keywords) {
      outcome[mailbox].refusedTags.formUnion(refused.map(\.uid))
      // Each of them by itself, for good: they are not kept.
      guard mailbox.remote.keptFlags.setsKeywordsApart else { continue }
      for (uid, reply) in refused {
        outcome[mailbox].addFailure(.message(uid: uid, .refused(.store, reply)))
      }
    }
  }

  private typealias Refused = [(uid: UInt32, reply: ServerReply)]

  /// Gives the messages of which the server refused the change.
  private mutating func change(
    _ lots: [Lot]
  ) throws(SyncFailure) -> [(mailbox: OpenMailbox, refused: Refused)] {
    let announced = announce(lots)
    let results = announced.isEmpty ? [] : try store.change(announced.map(\.order))
    var refused: [(mailbox: OpenMailbox, refused: Refused)] = []
    var records: [(mailbox: OpenMailbox, records: [StateRecord])] = []
    for (lot, result) in zip(announced, results) {
      switch result {
      case .done(let changes, let late):
        late.recordAnswers(in: [lot.mailbox])
        records.append((lot.mailbox, agreed(lot, changes)))
        countChanges(changes, lot.mailbox)
        refused.append((lot.mailbox, changes.refused.map { ($0, $1) }))
      case .failed(let failure): failures.append((lot.mailbox, failure))
      }
    }
    failures += OpenMailbox.record(records)
    return refused
  }

  /// Records what is about to be stored; gives the lots of which it is on record.
  private mutating func announce(_ lots: [Lot]) -> [Lot] {
    let open = open(lots)
    failures += OpenMailbox.record(open.map { ($0.mailbox, announcements($0)) })
    return self.open(open)
  }

  private func open(_ lots: [Lot]) -> [Lot] {
    lots.filter { lot in
      !lot.stores.isEmpty && !failures.contains { $0.mailbox === lot.mailbox }
    }
  }

  /// What is about to be stored: an interrupted run must not leave a flag on the server that looks as if another client had
  /// set it there.
  private func announcements(_ lot: Lot) -> [StateRecord] {
    lot.stores.compactMap { store in
      let flags = store.adding.union(store.removing)
      return flags.isEmpty
        ? nil : .flagsUnderWay(uid: store.uid, FlagsUnderWay(stored: flags))
    }
  }

  private mutating func countChanges(_ changes: FlagOutcome, _ mailbox: OpenMailbox) {
    outcome[mailbox].counts.stored += changes.stored.count
    if changes.forbidden > 0 {
      outcome[mailbox].counts.blocked[.notPermitted, default: 0] += changes.forbidden
    }
    if !changes.gone.isEmpty { outcome[mailbox].isComplete = false }
  }

  /// Only what was stored is agreed on now: what the server changed may not be shown by the file yet.
  ///
  /// The others are no longer under way.
  private func agreed(_ lot: Lot, _ changes: FlagOutcome) -> [StateRecord] {
    let state = lot.mailbox.state
    let agreed = changes.stored.compactMap { store -> StateRecord? in
      guard let flags = state.messages[store.uid]?.flags else { return nil }
      let system = flags.system.union(store.adding).subtracting(store.removing)
      let keywords = store.keywords.applied(to: flags.keywords)
      return .flags(uid: store.uid, MessageFlags(system, keywords: keywords))
    }
    let done = Set(changes.stored.map(\.uid))
    let unchanged = lot.stores.compactMap { store -> StateRecord? in
      guard !done.contains(store.uid), state.underWay[store.uid] != nil,
        let flags = state.messages[store.uid]?.flags
      else { return nil }
      return .flags(uid: store.uid, flags)
    }
    return agreed + unchanged
  }
}

extension MailboxPlan {
  /// Whether something else than flags is for the server.
  fileprivate var hasOtherPushes: Bool {
    !(moves.isEmpty && copies.isEmpty && uploads.isEmpty && removals.isEmpty)
  }
}
