internal import SyncPlan

/// Everything that is recorded of one mailbox: the map with its log replayed.
struct MailboxState: Hashable {
  var header: MailboxHeader
  /// The messages on both sides, by UID.
  private(set) var messages: [UInt32: BaseRecord] = [:]
  /// Base names of files that were synced once and are on their own.
  private(set) var orphans: Set<[UInt8]> = []
  /// Files removed, by hour since 1970.
  private(set) var deletions: [Int64: Int] = [:]
  /// What was begun on the server and not yet answered for.
  private(set) var intents: [UInt64: Intent] = [:]

  init(_ header: MailboxHeader) {
    self.header = header
  }

  /// The state after one more record.
  mutating func apply(_ record: StateRecord) {
    switch record {
    case .message(let message):
      messages[message.uid] = message
      orphans.remove(message.name)
    case .flags(let uid, let flags): messages[uid]?.flags = flags
    case .gone(let uid): messages[uid] = nil
    case .orphan(let name): orphans.insert(name)
    case .reached(let uidNext, let modSequence):
      header.uidNext = uidNext
      header.modSequence = modSequence
    case .window(let window): header.window = window
    case .deletions(let hour, let count): deletions[hour] = count
    case .intent(let number, let intent): intents[number] = intent
    case .resolved(let number): intents[number] = nil
    case .durable: break
    }
  }

  /// Files removed in the 24 hours before `now` (seconds since 1970).
  func recentDeletions(now: Int64) -> Int {
    deletions.filter { $0.key > now / 3600 - 24 }.values.reduce(0, +)
  }

  /// The records that a map lists, messages by UID.
  func records(now: Int64) -> [StateRecord] {
    let kept = deletions.filter { $0.key > now / 3600 - 24 }.sorted { $0.key < $1.key }
    return kept.map { .deletions(hour: $0.key, count: $0.value) }
      + intents.sorted { $0.key < $1.key }.map { .intent(number: $0.key, $0.value) }
      + orphans.sorted { $0.lexicographicallyPrecedes($1) }.map { .orphan(name: $0) }
      + messages.values.sorted { $0.uid < $1.uid }.map { .message($0) }
  }
}
