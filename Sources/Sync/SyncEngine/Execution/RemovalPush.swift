internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Removes messages from the server: to Trash, or for good.
///
/// To Trash they are moved, or copied and then expunged. For good they are marked as deleted and
/// expunged.
struct RemovalPush {
  /// What they came to.
  private(set) var outcome = StepOutcome()

  private let context: AccountContext
  private let store: any MailStore
  private let mailbox: OpenMailbox
  private let group: [UInt64: OpenMailbox]
  /// Those of the messages that have copies elsewhere.
  private var copied: Set<UInt32> = []
  /// Messages that go to Trash, and are there not yet.
  private(set) var trashed: [UInt32] = []
  /// Messages that are expunged.
  private var expunged: [UInt32] = []
  /// Messages that are expunged as long as their files show that they are to go.
  private var marked: [(uid: UInt32, name: [UInt8])] = []

  init(
    _ context: AccountContext,
    _ store: any MailStore,
    _ mailbox: OpenMailbox,
    _ group: [UInt64: OpenMailbox]
  ) {
    self.group = group
    self.context = context
    self.store = store
    self.mailbox = mailbox
  }

  /// Takes over the removals of the plan whose files are really nowhere.
  mutating func findDue(_ absence: AbsenceCheck) throws(SyncFailure) {
    for removal in mailbox.remainingPlan.removals.map(\.step) {
      if case .copied(let uid, _) = removal { copied.insert(uid) }
      guard try isDue(removal, absence), mayGo(removal) else {
        outcome[mailbox].isComplete = false
        continue
      }
      switch removal {
      case .fileless(let uid, true), .copied(let uid, true), .replaced(let uid, true, _, _):
        trashed.append(uid)
      case .fileless(let uid, false), .copied(let uid, false), .replaced(let uid, false, _, _):
        expunged.append(uid)
      case .marked(let name, let uid): marked.append((uid, name))
      }
    }
  }

  /// Carries out what is still to be done of them.
  mutating func pushRemovals() throws(SyncFailure) {
    let kept = try flagged(trashed + expunged)
    trashed.removeAll(where: kept.contains)
    expunged.removeAll(where: kept.contains)
    if !trashed.isEmpty { try discard(trashed) }
    if !expunged.isEmpty { try expunge(expunged, recording: true) }
    let due = try stillMarked()
    if !due.isEmpty { try expunge(due, recording: false) }
  }

  /// The messages whose files show right now that they are to go.
  private mutating func stillMarked() throws(SyncFailure) -> [UInt32] {
    var due: [UInt32] = []
    for (uid, name) in marked {
      if try isStillMarked(name) { due.append(uid) } else { outcome[mailbox].isComplete = false }
    }
    return due
  }

  // MARK: Together with other mailboxes

  /// What moves the messages to Trash in one flight with those of other mailboxes; nil where there is none, or they are moved by
  /// themselves.
  ///
  /// Those that were flagged on the server since both sides agreed stay. Marks of deletion are taken off before, which a flight does
  /// not do.
  func order(to trash: MailboxName) -> MoveOrder? {
    guard !trashed.isEmpty, trashed.count <= FlightLimit.messagesOfMailbox,
      store.traits.movesAtOnce, mailbox.mailbox.name != trash
    else { return nil }
    var sizes: [UInt32: UInt64] = [:]
    var unflagged: Set<UInt32> = []
    for uid in trashed {
      guard let record = mailbox.state.messages[uid], let size = record.size,
        !record.flags.system.contains(.deleted)
      else { return nil }
      sizes[uid] = size
      if !record.flags.system.contains(.flagged) { unflagged.insert(uid) }
    }
    return MoveOrder(from: mailbox.reference, to: trash, sizes: sizes, unflagged: unflagged)
  }

  /// Takes note of the messages that a flight moved to Trash; gives what is to be recorded of them.
  mutating func noteDiscarded(
    _ transfer: TransferOutcome,
    to trash: MailboxName
  ) -> [StateRecord] {
    context.facts.moved(transfer.pairs, of: mailbox, to: trash)
    let gone = trashed.filter { transfer.pairs[$0] != nil }
    trashed.removeAll { transfer.pairs[$0] != nil }
    outcome[mailbox].counts.trashed += gone.count
    return gone.map { .gone(uid: $0) } + deletions(of: Set(gone))
  }

  /// Whether it leaves a copy of a message on the server that is not here with its attachments.
  private func mayGo(_ removal: ServerRemoval) -> Bool {
    switch removal {
    case .fileless(_, true), .copied: true
    case .fileless(let uid, false), .replaced(let uid, _, _, _), .marked(_, let uid):
      mailbox.state.messages[uid]?.completeness.isPartial != true
    }
  }

  /// Whether the files are still as the plan saw them.
  private func isDue(
    _ removal: ServerRemoval,
    _ absence: AbsenceCheck
  ) throws(SyncFailure) -> Bool {
    switch removal {
    case .fileless(let uid, _), .copied(let uid, _): try isFileGone(uid, absence)
    case .replaced(let uid, _, let name, let target):
      try isReplaced(uid, by: name, in: target, absence)
    // To be looked at right before it goes.
    case .marked: true
    }
  }

  private func isFileGone(_ uid: UInt32, _ absence: AbsenceCheck) throws(SyncFailure) -> Bool {
    guard let record = mailbox.state.messages[uid] else { return false }
    return try absence.isNowhere(record.name, of: mailbox.directory)
  }

  /// Whether the file that takes the message's place was uploaded, and stands there alone.
  private func isReplaced(
    _ uid: UInt32,
    by name: [UInt8],
    in target: UInt64,
    _ absence: AbsenceCheck
  ) throws(SyncFailure) -> Bool {
    guard let record = mailbox.state.messages[uid], let target = group[target], !target.hasFailed,
      target.state.uid(of: name) != nil,
      absence.isThere(name, in: target.directory)
    else { return false }
    return try absence.isNowhere(record.name, of: mailbox.directory)
  }

  /// Whether the file shows right now that it is to go.
  private func isStillMarked(_ name: [UInt8]) throws(SyncFailure) -> Bool {
    guard let path = mailbox.path(of: name), mailbox.flags(of: name)?.contains(.deleted) == true
    else { return false }
    return try attempt(FileSystem.status(path) != nil)
  }

  /// Those of the messages that were flagged on the server since both sides agreed; the next run is told of
  /// them anew, for an earlier one may have been told.
  private mutating func flagged(_ uids: [UInt32]) throws(SyncFailure) -> Set<UInt32> {
    guard !uids.isEmpty else { return [] }
    let state = mailbox.state
    let flags = try store.flags(of: uids, in: mailbox.reference)
    let found = flags.filter { uid, flags in
      flags.system.contains(.flagged)
        && !(state.messages[uid]?.flags.system.contains(.flagged) ?? false)
    }
    guard !found.isEmpty else { return [] }
    outcome[mailbox].isComplete = false
    try mailbox.record([.reached(uidNext: state.header.uidNext, modSequence: nil)])
    return Set(found.keys)
  }

  /// Removes what is only left to be removed: copies were made, or new versions uploaded, or the server left it there before.
  mutating func expungePending() throws(SyncFailure) {
    let due = mailbox.state.pendingExpunges.filter { !mailbox.unexpunged.contains($0.key) }
    guard !due.isEmpty, !mailbox.remote.isReadOnly else { return }
    let unmarked = due.filter { !$0.value.isFlagged }.map(\.key)
    // Whatever else happened to it: its copy is safe.
    try erase(unmarked.isEmpty ? [] : mark(unmarked, unchangedSince: nil))
  }

  // MARK: For good

  private mutating func expunge(_ uids: [UInt32], recording: Bool) throws(SyncFailure) {
    let marked = try mark(uids, unchangedSince: mailbox.remote.modSequence)
    guard !marked.isEmpty else { return }
    if recording {
      try mailbox.record(
        marked.sorted().map { .pendingExpunge(uid: $0, PendingExpunge(isFlagged: true)) }
      )
      try noteDeletions(marked)
      try erase(marked)
    } else {
      let removal = try expunge(marked)
      outcome[mailbox].expunged.formUnion(removal.done)
      outcome[mailbox].counts.deleted += removal.done.count
    }
  }

  /// Marks messages as deleted; gives those of which that is certain.
  private mutating func mark(_ uids: [UInt32], unchangedSince: UInt64?) throws(SyncFailure) -> Set<
    UInt32
  > {
    let removal = try store.mark(uids, unchangedSince: unchangedSince, in: mailbox.reference)
    fail(removal, of: uids.count)
    return removal.done
  }

  /// Expunges what is marked; gives what came of it.
  ///
  /// That others lose their marks meanwhile is on record before, so that the next run puts them back where this one ends.
  private mutating func expunge(_ marked: Set<UInt32>) throws(SyncFailure) -> RemovalOutcome {
    let (mailbox, number) = (mailbox, mailbox.state.nextIntent)
    let removal = try store.expunge(Array(marked), in: mailbox.reference) {
      (others) throws(SyncFailure) in
      let marks = Intent.Unmarking(validity: mailbox.state.header.validity, uids: others)
      try mailbox.record([.intent(number: number, .unmark(marks))])
    }
    if removal.unmarked.isEmpty, mailbox.state.intents[number] != nil {
      try mailbox.record([.resolved(number: number)])
    }
    fail(removal, of: marked.count)
    return removal
  }

  /// Expunges what was marked just now or before and whose removal is pending, and records that it is gone.
  private mutating func erase(_ marked: Set<UInt32>) throws(SyncFailure) {
    let pending = mailbox.state.pendingExpunges
    let due = pending.filter { uid, expunge in
      (expunge.isFlagged || marked.contains(uid)) && !mailbox.unexpunged.contains(uid)
    }
    guard !due.isEmpty else { return }
    let removal = try expunge(Set(due.keys))
    guard !removal.done.isEmpty else { return }
    let buried = removal.done.intersection(due.keys).sorted()
    // Of the others it was said when their copies were made.
    outcome[mailbox].counts.deleted += buried.count { due[$0]?.isFlagged == true }
    mailbox.withhold(buried)
    try mailbox.record(buried.map { .gone(uid: $0) })
  }

  // MARK: To Trash

  private mutating func discard(_ uids: [UInt32]) throws(SyncFailure) {
    guard let trash = try TrashMailbox(context, store).name() else {
      return outcome[mailbox].fail(.mailbox(.noTrash))
    }
    try clearMarks(uids)
    var discarding = Discarding(context, store, mailbox, trash)
    defer { outcome.merge(discarding.outcome) }
    let count = try discarding.discardMessages(uids)
    outcome[mailbox].counts.trashed += count
    try noteDeletions(Set(uids.prefix(count)))
  }

  /// In Trash a message is not to look as if it were on its way out of it.
  private func clearMarks(_ uids: [UInt32]) throws(SyncFailure) {
    let marked = uids.filter {
      mailbox.state.messages[$0]?.flags.system.contains(.deleted) ?? false
    }
    guard !marked.isEmpty else { return }
    let stores = marked.sorted().map { FlagStore(uid: $0, adding: [], removing: .deleted) }
    let changes = try store.change(stores, in: mailbox.reference)
    if let (_, reply) = changes.refused.first {
      throw .commandRefused(.store, reply)
    }
  }

  // MARK: Reports

  /// Of messages that have copies elsewhere nothing is lost.
  private mutating func noteDeletions(_ uids: Set<UInt32>) throws(SyncFailure) {
    let records = deletions(of: uids)
    if !records.isEmpty { try mailbox.record(records) }
  }

  private mutating func deletions(of uids: Set<UInt32>) -> [StateRecord] {
    outcome[mailbox].copiedBefore += uids.intersection(copied).count
    let count = uids.subtracting(copied).count
    guard count > 0, context.countsDeletions(in: mailbox.mailbox) else { return [] }
    return [.deletions(count, in: mailbox.state)]
  }

  /// Says what was not done of so many messages.
  private mutating func fail(_ removal: RemovalOutcome, of count: Int) {
    if removal.done.count < count { outcome[mailbox].isComplete = false }
    mailbox.noteUnexpunged(removal.ignored.map(\.uid))
    for (uid, command) in removal.ignored.sorted(by: { $0.uid < $1.uid }) {
      outcome[mailbox].fail(.message(uid: uid, .ignored(command)))
    }
    for (uid, command, reply) in removal.refused.sorted(by: { $0.uid < $1.uid }) {
      outcome[mailbox].fail(.message(uid: uid, .refused(command, reply)))
    }
  }
}
