internal import MailModel
internal import MailStore
internal import Mailboxes
internal import MessageContent
internal import SyncPlan
internal import SyncState

/// Settles the open intents of messages of a mailbox that were on their way to Trash.
struct DisposalResolver {
  private typealias Open = (number: UInt64, disposal: Intent.Disposal)
  /// With what Trash was like before.
  private typealias Known = (number: UInt64, disposal: Intent.Disposal, place: MailboxPlace)

  /// What they came to.
  private(set) var outcome = StepOutcome()

  private let context: AccountContext
  private let store: any MailStore
  private let mailbox: OpenMailbox
  private let taken: IntentResolver.Taken

  /// `taken` is what the server took just now.
  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ mailbox: OpenMailbox,
    _ taken: IntentResolver.Taken
  ) {
    self.context = context
    self.store = store
    self.mailbox = mailbox
    self.taken = taken
  }

  /// Resolves all open disposals.
  mutating func resolveDisposals() throws(SyncFailure) {
    var open: [[UInt8]: [Open]] = [:]
    for (number, intent) in mailbox.state.intents.sorted(by: { $0.key < $1.key }) {
      if case .discard(let disposal) = intent {
        open[disposal.trash, default: []].append((number, disposal))
      }
    }
    for (trash, disposals) in open { try resolve(disposals, MailboxName(wire: trash)) }
  }

  private mutating func resolve(
    _ disposals: [Open],
    _ trash: MailboxName
  ) throws(SyncFailure) {
    let copies = try find(disposals, in: trash)
    var records: [StateRecord] = []
    for (number, disposal) in disposals {
      if let copy = copies?[number] {
        context.facts.moved([disposal.uid: copy.uid], of: mailbox, to: trash)
        let expunge = PendingExpunge(isFlagged: false)
        records += [.pendingExpunge(uid: disposal.uid, expunge), .resolved(number: number)]
      } else if copies != nil, awaits(disposal, number, trash) {
        records.append(.taken(number: number))
      } else {
        records.append(.resolved(number: number))
      }
    }
    try mailbox.record(records)
  }

  private func isTaken(_ number: UInt64) -> Bool {
    taken.hasTransferred(number) || mailbox.state.taken.contains(number)
  }

  /// Whether a message that the server reported as moved to Trash, and that is not found there, is not sent again.
  ///
  /// This holds while it is where it was, and its file is gone.
  private mutating func awaits(
    _ disposal: Intent.Disposal,
    _ number: UInt64,
    _ trash: MailboxName
  ) -> Bool {
    guard isTaken(number) else { return false }
    outcome[mailbox].isComplete = false
    guard mailbox.state.taken.contains(number) else { return true }
    guard let record = mailbox.state.messages[disposal.uid],
      !RemoteIndex(mailbox.remote.view).isGone(disposal.uid), mailbox.file(of: record.name) == nil
    else { return false }
    outcome[mailbox].fail(.message(uid: disposal.uid, .copyNotFound(trash)))
    return true
  }

  // MARK: Copies

  /// The copies in Trash, by the numbers of their intents; nil where Trash is no longer the mailbox it was.
  private func find(
    _ disposals: [Open],
    in trash: MailboxName
  ) throws(SyncFailure) -> [UInt64: RemoteMessage]? {
    // Where nothing is known of what was there before, no copy can be told from others.
    let known = disposals.compactMap { number, disposal in
      disposal.place.map { (number: number, disposal: disposal, place: $0) }
    }
    guard !known.isEmpty else { return [:] }
    let identity: MailboxIdentity
    do throws(SyncFailure) {
      identity = try store.open(trash, forChanges: context.isWriting).identity
    } catch {
      // As long as it is Trash, the server may know better later.
      guard case .commandRefused = error, context.trash.name != trash else { throw error }
      return nil
    }
    guard let validity = identity.validity, Set(known.map(\.place.validity)) == [validity] else {
      return nil
    }
    let place = MailboxReference(trash, identity)
    var copies = try find(known, [:], besides: [], in: place)
    let missing = known.filter { copies[$0.number] == nil && isTaken($0.number) }
    guard !missing.isEmpty else { return copies }
    // What the server changed on the way has another size: its header decides.
    let headers = try store.headers(of: missing.map(\.disposal.uid), in: mailbox.reference)
    guard !headers.isEmpty else { return copies }
    let claimed = Set(copies.values.map(\.uid))
    copies.merge(try find(missing, headers, besides: claimed, in: place)) { first, _ in first }
    return copies
  }

  private func find(
    _ disposals: [Known],
    _ headers: [UInt32: HeaderFacts],
    besides claimed: Set<UInt32>,
    in trash: MailboxReference
  ) throws(SyncFailure) -> [UInt64: RemoteMessage] {
    let arrivals = disposals.map { wanted($0, headers[$0.disposal.uid]) }
    let found = try store.find(arrivals, besides: claimed, in: trash)
    var copies: [UInt64: RemoteMessage] = [:]
    for (disposal, message) in zip(disposals, found) { copies[disposal.number] = message }
    return copies
  }

  private func wanted(_ open: Known, _ header: HeaderFacts?) -> WantedArrival {
    let disposal = open.disposal
    let (identity, size, uidNext) = (disposal.identity, disposal.size, open.place.uidNext)
    if mailbox.state.messages[disposal.uid]?.completeness.isPartial == true {
      return WantedArrival(partial: identity, size: size, uidNext: uidNext)
    }
    return WantedArrival(
      identity: identity,
      size: size,
      uidNext: uidNext,
      date: mailbox.recordedDate(of: disposal.uid),
      headerKey: header?.headerKey,
      evidence: isTaken(open.number) ? .taken : .begun
    )
  }
}
