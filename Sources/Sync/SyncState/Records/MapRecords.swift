internal import SyncPlan

/// The records that a map lists, messages from the lowest UID, each made when it is asked for.
struct MapRecords: Sequence, IteratorProtocol {
  private var first: ArraySlice<StateRecord>
  private var messages: RecordTable.Iterator
  private var last: ArraySlice<StateRecord>

  /// Those of that state; removals of more than 24 hours before `now`, in seconds since 1970, are left out.
  init(_ state: MailboxState, now: Int64) {
    let kept = state.deletions.filter { $0.key > now / 3600 - 24 }.sorted { $0.key < $1.key }
    let intents = state.intents.sorted { $0.key < $1.key }
    let detached = state.detached.sorted { $0.lexicographicallyPrecedes($1) }
    let expunges = state.pendingExpunges.sorted { $0.key < $1.key }
    let versions = state.versions.sorted { $0.key < $1.key }
    let underWay = state.underWay.sorted { $0.key < $1.key }
    let waiting = state.waiting.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
      StateRecord.waiting(name: $0.key, since: $0.value.since, source: $0.value.source)
    }
    first =
      (kept.map { StateRecord.deletions(hour: $0.key, count: $0.value) }
      + (state.blockedDeletions == .none ? [] : [.blockedDeletions(state.blockedDeletions)])
      + (state.wholeAt.map { [StateRecord.whole(changed: $0)] } ?? [])
      + state.forgotten.sorted().map { .gone(uid: $0) }
      + intents.map { .intent(number: $0.key, $0.value) }
      + state.taken.sorted().map { .taken(number: $0) }
      + expunges.flatMap { Self.records($0.key, $0.value) }
      + detached.map { .detached(name: $0) } + waiting)[...]
    messages = state.messages.makeIterator()
    last =
      (versions.map { StateRecord.version(uid: $0.key, $0.value) }
      + underWay.map { .flagsUnderWay(uid: $0.key, $0.value) }
      + state.copies.sorted { $0.key < $1.key }.map { .copied(uid: $0.key, to: $0.value) })[...]
  }

  /// A message that is to go, behind what was on record of it.
  private static func records(_ uid: UInt32, _ expunge: PendingExpunge) -> [StateRecord] {
    (expunge.former.map { [.message($0)] } ?? []) + [.pendingExpunge(uid: uid, expunge)]
  }

  /// The next record; nil after the last.
  mutating func next() -> StateRecord? {
    first.popFirst() ?? messages.next().map { .message($0) } ?? last.popFirst()
  }
}
