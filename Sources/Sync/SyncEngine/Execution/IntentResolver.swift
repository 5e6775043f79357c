internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Finds out what became of changes that were begun on the server and not answered.
///
/// It does so before anything new is planned, and where a server does not report the UIDs of the messages that it accepted.
///
/// That only needs reading: a run that only pulls settles it too, so that nothing is fetched that is here.
struct IntentResolver {
  /// What they came to.
  private(set) var outcome = StepOutcome()

  private let context: AccountContext
  private let store: any MailStore

  init(_ context: AccountContext, _ store: any MailStore) {
    self.context = context
    self.store = store
  }

  /// What the server took just now without telling UIDs.
  enum Taken {
    case nothing
    case uploads([Upload])
    /// Messages of other mailboxes, by the numbers of their intents; those that left are no more where they came from.
    case transfers(Set<UInt64>, haveLeft: Bool)
  }

  /// Resolves the open intents of a mailbox, those among them that the server accepted just now.
  ///
  /// A move whose source is not in the group stays open as long as the source still has a record of it. Messages that it may
  /// have brought are withheld from the plan.
  mutating func resolveIntents(
    _ mailbox: OpenMailbox,
    in group: [OpenMailbox],
    taken: Taken = .nothing
  ) throws(SyncFailure) {
    guard !mailbox.state.intents.isEmpty else { return }
    try restoreMarks(mailbox)
    try FollowResolver(context, mailbox, group).resolveFollows()
    try resolveArrivals(mailbox, group, taken)
    try resolveDisposals(mailbox, taken)
    try resolveDepartures(mailbox, group)
  }

  /// Retries the pending expunges of the last run.
  mutating func expungePending(_ mailbox: OpenMailbox, in group: [OpenMailbox]) throws(SyncFailure)
  {
    guard !mailbox.state.pendingExpunges.isEmpty else { return }
    try dropRevivedExpunges(mailbox)
    if SyncRule.revived.isOn, mailbox.isRematched { try doubtExpunges(mailbox, group) }
    guard context.mailboxes.isWriting(in: mailbox.mailbox) else { return }
    var removal = RemovalPush(context, store, mailbox, [:])
    defer { outcome.merge(removal.outcome) }
    try removal.expungePending()
  }

  /// Marks as deleted what was so before a run ended in the midst of an EXPUNGE; that is not to be taken for a change.
  private mutating func restoreMarks(_ mailbox: OpenMailbox) throws(SyncFailure) {
    for (number, intent) in mailbox.state.intents.sorted(by: { $0.key < $1.key }) {
      guard SyncRule.revived.isOn, case .unmark(let marks) = intent else { continue }
      if try restore(marks, in: mailbox) { try mailbox.record([.resolved(number: number)]) }
    }
  }

  /// Whether they have their marks, or are gone.
  private mutating func restore(
    _ marks: Intent.Unmarking,
    in mailbox: OpenMailbox
  ) throws(SyncFailure) -> Bool {
    guard marks.validity == mailbox.state.header.validity else { return true }
    mailbox.showMarks(of: marks.uids)
    guard context.isWriting, !mailbox.remote.isReadOnly else { return false }
    let stores = marks.uids.map { FlagStore(uid: $0, adding: .deleted, removing: []) }
    let changes = try store.change(stores, in: mailbox.reference)
    for (uid, reply) in changes.refused {
      outcome[mailbox].fail(.message(uid: uid, .refused(.store, reply)))
    }
    return changes.refused.isEmpty && changes.forbidden == 0
  }

  private mutating func resolveArrivals(
    _ mailbox: OpenMailbox,
    _ group: [OpenMailbox],
    _ taken: Taken
  ) throws(SyncFailure) {
    var arrivals = ArrivalResolver(context, store, mailbox, group, taken)
    defer { outcome.merge(arrivals.outcome) }
    try arrivals.resolveArrivals()
  }

  /// Forgets what other mailboxes still have on record of messages that are here by now: such a record would speak for
  /// any file of that name or content.
  ///
  /// Where the other mailbox is not in the group it is left to a later run.
  private func resolveDepartures(
    _ mailbox: OpenMailbox,
    _ group: [OpenMailbox]
  ) throws(SyncFailure) {
    let origins = mailbox.state.origins
    guard SyncRule.departures.isOn, !origins.isEmpty else { return }
    var resolved: [StateRecord] = []
    for (id, left) in Dictionary(grouping: origins, by: \.value.source) {
      if let source = group.first(where: { $0.mailbox.id == id && !$0.hasFailed }) {
        let held = left.map { source.current($0.value) }.filter { source.holdsLeftover(of: $0) }
        try source.record(held.map { .gone(uid: $0.uid) })
        resolved += left.map { .resolved(number: $0.key) }
      } else {
        let state = try context.recorded(id)
        let gone = left.filter { state?.holds($0.value) != true }
        resolved += gone.map { .resolved(number: $0.key) }
      }
    }
    try mailbox.record(resolved)
  }

  private mutating func resolveDisposals(
    _ mailbox: OpenMailbox,
    _ taken: Taken
  ) throws(SyncFailure) {
    var disposals = DisposalResolver(context, store, mailbox, taken)
    defer { outcome.merge(disposals.outcome) }
    try disposals.resolveDisposals()
  }

  /// A server that gave the mailbox another UIDVALIDITY may have been restored to an earlier state.
  ///
  /// Messages that are nowhere else, nor a new version of a draft, are planned anew.
  private func doubtExpunges(
    _ mailbox: OpenMailbox,
    _ group: [OpenMailbox]
  ) throws(SyncFailure) {
    let texts = Set(group.flatMap(Self.identities).map(\.text))
    let versions = Set(Self.identities(mailbox).compactMap { Trace($0).key(.named) })
    let doubted = mailbox.state.pendingExpunges.values.compactMap(\.former).filter { former in
      guard let identity = former.identity else { return true }
      let isReplaced =
        mailbox.state.isRecorded(former.name)
        && Trace(identity).key(.named).map(versions.contains) ?? false
      return !isReplaced && !texts.contains(identity.text)
    }
    for former in doubted {
      // The file of that name is another message's by now.
      let isOther = mailbox.state.isRecorded(former.name)
      try mailbox.record([.gone(uid: former.uid)] + (isOther ? [] : [.message(former)]))
    }
  }

  /// What the mailbox has on record that the server has too.
  private static func identities(_ mailbox: OpenMailbox) -> [ContentIdentity] {
    let remote = RemoteIndex(mailbox.remote.view)
    return mailbox.hasFailed
      ? []
      : mailbox.state.messages.values.lazy.filter { !remote.isGone($0.uid) }.compactMap(\.identity)
  }

  /// A marked message from which another client took the mark is to stay.
  private func dropRevivedExpunges(_ mailbox: OpenMailbox) throws(SyncFailure) {
    let listed = mailbox.remote.view.listed
    let remote = RemoteIndex(mailbox.remote.view)
    let dropped = mailbox.state.pendingExpunges.filter { uid, expunge in
      if remote.isGone(uid) { return true }
      guard SyncRule.revived.isOn, expunge.isFlagged, let message = listed[uid: uid] else {
        return false
      }
      return !message.flags.system.contains(.deleted)
    }
    try mailbox.record(dropped.keys.sorted().map { .gone(uid: $0) })
  }
}
