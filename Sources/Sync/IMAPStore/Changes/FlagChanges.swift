internal import IMAP
internal import MailModel
internal import MailStore
internal import SyncPlan

/// Changes flags in a mailbox: as few STOREs as there are different changes, all in one round trip.
///
/// The mailbox is opened and found to be the one that is meant before anything is changed (`storeFlags`); or it is opened in the same
/// round trip, and only messages of the sizes that are known are changed (`send` and `finish`).
///
/// A server says OK to a STORE of a message that went away meanwhile too (RFC 9051 §6.4.9). Only of a message that it
/// tells the flags of, or that is still there when asked for, are the flags changed: wherever it went, it went
/// without them. One that is there without them is not the user's to change (RFC 4314 §4).
struct FlagChanges {
  /// What is changed in the same way.
  private struct Change: Hashable {
    let adding: SystemFlags
    let removing: SystemFlags
    let keywords: KeywordChange

    /// So that every run sends them in the same order.
    var order: Int { Int(adding.rawValue) << 8 | Int(removing.rawValue) }

    /// Whether these flags are as they are after the change.
    func isShown(by flags: SystemFlags) -> Bool {
      flags.isSuperset(of: adding) && flags.isDisjoint(with: removing)
    }

    /// The commands that change it.
    func commands(_ uids: UIDSet) -> [Command] {
      changes.map { .uidStore(uids, $0, unchangedSince: nil, silent: false) }
    }

    /// The commands that change it in the messages that the server remembers.
    var commandsForFound: [Command] { changes.map { .uidStoreFound($0) } }

    private var changes: [FlagChange] {
      var changes: [FlagChange] = []
      let added = adding.imapFlags + keywords.adding.map { Flag.keyword($0) }
      let removed = removing.imapFlags + keywords.removing.map { Flag.keyword($0) }
      if !added.isEmpty { changes.append(.adding(added)) }
      if !removed.isEmpty { changes.append(.removing(removed)) }
      return changes
    }
  }

  /// A change of several messages.
  private struct Batch {
    let change: Change
    let uids: UIDSet

    var halves: [Batch] {
      uids.pieces(ofAtMost: (uids.count + 1) / 2).map { Batch(change: change, uids: $0) }
    }
  }

  /// The commands of a flight.
  private struct Sent {
    let opening: CommandTag
    let stores: [(batch: Batch, search: CommandTag, tags: [CommandTag])]
  }

  private let session: MailboxSession
  private let mailbox: MailboxReference
  private let batches: [Batch]
  private let sizes: [UInt32: UInt64]
  /// What is asked behind the first commands.
  private var reading: LateReading
  private var sent: Sent?
  private var outcome = FlagOutcome()

  init(_ session: MailboxSession, _ order: FlagOrder) {
    self.session = session
    mailbox = order.mailbox
    batches = Self.batches(order.stores)
    sizes = order.sizes
    reading = LateReading(session, order.late)
  }

  private var connection: Connection { session.connection }

  /// What was asked behind the changes, with what was answered.
  var late: LateQuestions { reading.late }

  /// About how many octets the commands of a flight have.
  var octetCount: Int {
    batches.reduce(mailbox.name.wire.count) { $0 + 150 + 60 * $1.uids.count }
  }

  /// Makes the changes.
  mutating func storeFlags() throws(SyncFailure) -> FlagOutcome {
    try store(batches)
    return outcome
  }

  // MARK: In a flight

  /// Sends all that opens the mailbox and changes it; the sizes of all messages are known.
  ///
  /// Where the server opens another mailbox than the one that is meant, or none, it finds no message of that UID and size.
  mutating func send() {
    let opening = connection.send(session.opening(mailbox.name, nil))
    let stores = batches.map { batch in
      let uids = batch.uids.ranges.joined()
      let known = Dictionary(
        uids.map { ($0, sizes[$0] ?? .max) },
        uniquingKeysWith: { first, _ in first }
      )
      let search = connection.send(.uidSearchSizes(known))
      return (batch, search, batch.change.commandsForFound.map(connection.send))
    }
    sent = Sent(opening: opening, stores: stores)
    reading.send()
  }

  /// Waits for the replies to all that was sent; gives what came of it where the server made all changes, and told so.
  ///
  /// Nil where it did not, or opened another mailbox: then they are to be made by themselves, which does no harm where they are
  /// made already.
  mutating func finish() throws(SyncFailure) -> FlagOutcome? {
    guard let sent = sent.take() else { return nil }
    var isMade = try session.finishOpening(of: mailbox, sent.opening)
    var told: [UInt32: SystemFlags] = [:]
    for (batch, search, tags) in sent.stores {
      _ = try connection.finish(search)
      if try finish(tags, batch.uids, &told) != nil { isMade = false }
    }
    reading.finish()
    guard isMade, untold(batches, told).isEmpty else { return nil }
    recordStored(batches)
    return outcome
  }

  // MARK: By itself

  private static func batches(_ stores: [FlagStore]) -> [Batch] {
    var changes: [Change: [UInt32]] = [:]
    for store in stores {
      let change = Change(
        adding: store.adding,
        removing: store.removing,
        keywords: store.keywords
      )
      changes[change, default: []].append(store.uid)
    }
    return changes.sorted { $0.key.order < $1.key.order }.flatMap { change, uids in
      UIDSet(sortedUIDs: uids.sorted()).pieces(ofAtMost: 100_000).map { piece in
        Batch(change: change, uids: piece)
      }
    }
  }

  /// A server that refuses a set because of one message takes the others when asked for each half.
  ///
  /// Flags that the user has no right to change (RFC 5530 §3) stay as they are here, and are no failure of later runs. Each run
  /// asks once, for all messages together, in case the right was given meanwhile.
  private mutating func store(_ batches: [Batch]) throws(SyncFailure) {
    guard !batches.isEmpty else { return }
    try session.open(mailbox)
    let tags = batches.map { batch in batch.change.commands(batch.uids).map(connection.send) }
    reading.send()
    var stored: [Batch] = []
    var refused: [(batch: Batch, reason: ServerReply)] = []
    var told: [UInt32: SystemFlags] = [:]
    for (batch, tags) in zip(batches, tags) {
      if let reason = try finish(tags, batch.uids, &told) {
        refused.append((batch, reason))
      } else {
        stored.append(batch)
      }
    }
    reading.finish()
    try recordChanges(stored, told)
    for (batch, reason) in refused {
      if reason.cause == .forbidden {
        outcome.forbidden += batch.uids.count
      } else if batch.uids.count > 1 {
        try store(batch.halves)
      } else {
        outcome.refused += batch.uids.ranges.joined().map { ($0, reason) }
      }
    }
  }

  /// Records which messages were changed, and which are gone: of these the server did not report the new flags.
  private mutating func recordChanges(
    _ stored: [Batch],
    _ told: [UInt32: SystemFlags]
  ) throws(SyncFailure) {
    let untold = untold(stored, told)
    var there: [UInt32: MessageFlags] = [:]
    if !untold.isEmpty {
      try session.open(mailbox)
      there = try ContentQueries(connection).flags(Array(untold))
      outcome.gone.formUnion(untold.subtracting(there.keys))
    }
    recordStored(stored, there)
  }

  /// The messages of which the server did not tell that they have their flags now.
  private func untold(_ stored: [Batch], _ told: [UInt32: SystemFlags]) -> Set<UInt32> {
    Set(
      stored.lazy.flatMap { batch in
        batch.uids.ranges.joined().filter { uid in
          !(told[uid].map(batch.change.isShown) ?? false)
        }
      }
    )
  }

  /// `there` are the flags of those that were asked for.
  private mutating func recordStored(_ stored: [Batch], _ there: [UInt32: MessageFlags] = [:]) {
    for batch in stored {
      for uid in batch.uids.ranges.joined() where !outcome.gone.contains(uid) {
        let change = batch.change
        if let flags = there[uid], !change.isShown(by: flags.system) {
          outcome.forbidden += 1
          continue
        }
        outcome.stored.append(
          FlagStore(
            uid: uid,
            adding: change.adding,
            removing: change.removing,
            keywords: change.keywords
          )
        )
      }
    }
  }

  /// Waits for the replies; gives the server's words where it refuses.
  ///
  /// `told` are the flags it tells by the way.
  private func finish(
    _ tags: [CommandTag],
    _ uids: UIDSet,
    _ told: inout [UInt32: SystemFlags]
  ) throws(SyncFailure) -> ServerReply? {
    var refusal: ServerReply?
    for tag in tags {
      let response = try connection.finish(tag) { event in
        guard case .fetch(let fetch) = event, let uid = fetch.uid, let flags = fetch.flags else {
          return
        }
        told[uid] = MessageFlags(flags).system
      }
      if response.stored(of: uids).count < uids.count { refusal = refusal ?? ServerReply(response) }
    }
    return refusal
  }
}
