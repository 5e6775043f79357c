internal import Mailboxes
internal import MailModel
internal import MailStore
internal import Octets
internal import SyncPlan
internal import SyncState

/// Sends messages of one mailbox to Trash: in one step with MOVE, else by a copy, of which an intent in
/// the log tells before.
struct Discarding {
  private static let batch = 1000

  /// What it came to.
  private(set) var outcome = StepOutcome()

  private let context: AccountContext
  private let store: any MailStore
  private let mailbox: OpenMailbox
  private let trash: MailboxName
  /// Whether all of them go in one round trip.
  private var isOneFlight = false

  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ mailbox: OpenMailbox,
    _ trash: MailboxName
  ) {
    self.context = context
    self.store = store
    self.mailbox = mailbox
    self.trash = trash
  }

  /// Sends them; gives how many went.
  mutating func discardMessages(_ uids: [UInt32]) throws(SyncFailure) -> Int {
    let uids = uids.sorted()
    isOneFlight = uids.count <= Self.batch
    var count = 0
    for start in stride(from: 0, to: uids.count, by: Self.batch) {
      let batch = Array(uids[start..<min(start + Self.batch, uids.count)])
      count += try send(batch)
    }
    return count
  }

  private mutating func send(_ uids: [UInt32]) throws(SyncFailure) -> Int {
    try store.traits.movesAtOnce ? move(uids) : copy(uids)
  }

  /// A crash after it leaves messages that are gone on both sides.
  private mutating func move(_ uids: [UInt32]) throws(SyncFailure) -> Int {
    let transfer = try transfer(uids)
    if let refusal = transfer.refusal {
      let rest = uids.filter { transfer.pairs[$0] == nil }
      // It does not carry out MOVE, as this showed.
      guard store.traits.movesAtOnce else { return try copy(rest) }
      return try retry(rest, refusal)
    }
    let named = uids.filter { transfer.pairs[$0] != nil }
    let unnamed = uids.filter { transfer.pairs[$0] == nil }
    try mailbox.record(named.map { .gone(uid: $0) } + taken(unnamed))
    if !unnamed.isEmpty { outcome[mailbox].isComplete = false }
    return uids.count
  }

  /// What was not named is found gone by the next run; where it is still there, it is not sent once more.
  private func taken(_ uids: [UInt32]) -> [StateRecord] {
    zip(uids, mailbox.state.nextIntent...).flatMap { uid, number -> [StateRecord] in
      [.intent(number: number, .discard(disposal(uid, nil))), .taken(number: number)]
    }
  }

  private func transfer(_ uids: [UInt32]) throws(SyncFailure) -> TransferOutcome {
    var late = LateQuestions(about: isOneFlight ? [mailbox] : [], behind: uids.count)
    let order = TransferOrder(uids, to: trash)
    let transfer = try store.transfer([order], from: mailbox.reference, asking: &late)[0]
    late.recordAnswers(in: [mailbox])
    context.facts.moved(transfer.pairs, of: mailbox, to: trash)
    return transfer
  }

  private mutating func copy(_ uids: [UInt32]) throws(SyncFailure) -> Int {
    guard let place = try TrashMailbox(context, store).status() else { return 0 }
    let first = mailbox.state.nextIntent
    let numbers = Dictionary(first: zip(uids, first...))
    try mailbox.record(
      uids.map { .intent(number: numbers[$0] ?? first, .discard(disposal($0, place))) }
    )
    let transfer = try transfer(uids)
    let named = uids.filter { transfer.pairs[$0] != nil }
    try mailbox.record(
      named.flatMap { uid -> [StateRecord] in
        [
          .pendingExpunge(uid: uid, PendingExpunge(isFlagged: false)),
          .resolved(number: numbers[uid] ?? first),
        ]
      }
    )
    guard named.count < uids.count else { return uids.count }
    // Also where it was refused: copies may have been made all the same.
    let unnamed = uids.filter { transfer.pairs[$0] == nil }
    try resolveTaken(transfer.refusal == nil ? Set(unnamed.compactMap { numbers[$0] }) : [])
    guard let refusal = transfer.refusal else { return uids.count }
    let rest = uids.filter { mailbox.state.pendingExpunges[$0] == nil }
    return uids.count - rest.count
      + (try retry(rest, refusal))
  }

  /// `taken` are the intents of those to which the server said OK.
  private mutating func resolveTaken(_ taken: Set<UInt64>) throws(SyncFailure) {
    var resolver = IntentResolver(context, store)
    defer { outcome.merge(resolver.outcome) }
    try resolver.resolveIntents(mailbox, in: [mailbox], taken: .transfers(taken, haveLeft: false))
  }

  private func disposal(_ uid: UInt32, _ place: MailboxPlace?) -> Intent.Disposal {
    let record = mailbox.state.messages[uid]
    return Intent.Disposal(
      uid: uid,
      trash: trash.wire,
      place: place,
      size: record?.size,
      identity: record?.identity
    )
  }

  /// One that the server does not want to give must not keep the others.
  private mutating func retry(
    _ uids: [UInt32],
    _ refusal: ServerReply
  ) throws(SyncFailure) -> Int {
    guard uids.count > 1 else {
      for uid in uids {
        outcome[mailbox].fail(.message(uid: uid, .refused(.move, refusal)))
      }
      return 0
    }
    var count = 0
    isOneFlight = false
    for uid in uids { count += try send([uid]) }
    return count
  }
}

/// The mailbox that removed messages go to: by role, else made.
struct TrashMailbox {
  private let context: AccountContext
  private let store: any MailStore

  init(_ context: AccountContext, _ store: any MailStore) {
    self.context = context
    self.store = store
  }

  /// Its name; nil where there is none and the server does not make one.
  func name() throws(SyncFailure) -> MailboxName? {
    if let known = context.trash.name { return known }
    guard let name = try store.create(for: .trash, under: context.trash.candidates) else {
      return nil
    }
    context.report(.step("made the mailbox \(name) for removed messages"))
    context.trash.found(name)
    return name
  }

  /// What is in it now; nil where the server does not tell.
  func status() throws(SyncFailure) -> MailboxPlace? {
    guard let name = try name() else { return nil }
    return try store.place(of: name)
  }
}
