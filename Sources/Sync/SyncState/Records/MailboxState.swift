package import Maildir
package import MessageContent
package import Octets
package import SyncPlan

/// Everything that is recorded of one mailbox: the map with its log replayed.
package struct MailboxState: Hashable {
  package var header: MailboxHeader
  /// The messages on both sides, by UID.
  package private(set) var messages = RecordTable()
  /// Base names of files that were synced once and no longer are.
  package private(set) var detached: OctetSet = []
  /// New files that are copies of messages and wait for what becomes of these, by base name.
  package private(set) var waiting = OctetTable<WaitingCopy>()
  /// Where copies are that were made of messages from here, by UID.
  package private(set) var copies: [UInt32: Intent.Origin] = [:]
  /// Messages without a file that are to go for good, by UID.
  package private(set) var pendingExpunges: [UInt32: PendingExpunge] = [:]
  /// Flags that were about to be changed on one side, by the UID of their message, while it is open whether they were.
  package private(set) var underWay: [UInt32: FlagsUnderWay] = [:]
  /// What the files of drafts looked like, by UID.
  package private(set) var versions: [UInt32: FileVersion] = [:]
  /// Files removed, by hour since 1970.
  package private(set) var deletions: [Int64: Int] = [:]
  /// Of which sides the deletion guard holds the losses back.
  package private(set) var blockedDeletions = BlockedDeletions.none
  /// When new/ or cur/ was last changed before all files of messages on record were seen in place, in nanoseconds since 1970;
  /// nil where that is not known.
  package private(set) var wholeAt: Int64?
  /// Messages from UIDNEXT on that were on record and are so no more.
  private(set) var forgotten: Set<UInt32> = []
  /// What was begun on the server and not yet answered for.
  package private(set) var intents: [UInt64: Intent] = [:]
  /// The numbers of those that the server said OK to, while it is open what came of them.
  package private(set) var taken: Set<UInt64> = []

  package init(_ header: MailboxHeader) {
    self.header = header
  }

  /// Makes room for so many messages more.
  mutating func reserve(more count: Int) { messages.reserve(count) }

  /// Takes the line of a message with these keywords in a map; false where it is to be taken as a record.
  mutating func append(
    _ line: MessageLine,
    keywords: [[UInt8]],
    in octets: UnsafeRawBufferPointer
  ) -> Bool {
    guard messages.append(line, keywords: keywords, in: octets) else { return false }
    if !detached.isEmpty { detached.remove([UInt8](octets[line.name])) }
    return true
  }

  /// The state after one more record of a map.
  mutating func applyInMap(_ record: StateRecord) {
    if case .message(let message) = record, messages.appendRow(message) {
      detached.remove(message.name)
    } else {
      apply(record)
    }
  }

  /// The state after one more record.
  package mutating func apply(_ record: StateRecord) {
    switch record {
    case .message(let message): putRecord(message)
    case .arrived(let message, let number, let origin):
      putRecord(message)
      intents[number] = .leave(origin)
      taken.remove(number)
    case .flags(let uid, let flags):
      messages.setFlags(flags, of: uid)
      underWay[uid] = nil
    case .flagsUnderWay(let uid, let flags): underWay[uid] = flags
    case .gone(let uid): forget(uid)
    case .detached(let name): detached.insert(name)
    case .waiting(let name, let since, let source):
      waiting[name] = since.map { WaitingCopy(since: $0, source: source) }
    case .copied(let uid, let copy): if messages.contains(uid) { copies[uid] = copy }
    case .pendingExpunge(let uid, var expunge):
      expunge.former = messages[uid] ?? pendingExpunges[uid]?.former
      forget(uid)
      pendingExpunges[uid] = expunge
    case .version(let uid, let version): versions[uid] = version
    case .reached(let uidNext, let modSequence):
      header.uidNext = uidNext
      header.modSequence = modSequence
      if !forgotten.isEmpty { forgotten = forgotten.filter { !header.isBelowNext($0) } }
    case .window(let window): header.window = window
    case .serverID(let id): header.serverID = id
    case .deletions(let hour, let count): deletions[hour] = count
    case .blockedDeletions(let held): blockedDeletions = held
    case .whole(let changed): wholeAt = changed
    case .intent(let number, let intent): intents[number] = intent
    case .taken(let number): if intents[number] != nil { taken.insert(number) }
    case .resolved(let number):
      intents[number] = nil
      taken.remove(number)
    case .durable: break
    }
  }

  private mutating func putRecord(_ message: BaseRecord) {
    // A file of another name: what was known of the one before says nothing of it.
    if let old = messages.putRecord(message), old.name != message.name {
      versions[message.uid] = nil
    }
    detached.remove(message.name)
    if !waiting.isEmpty { waiting[message.name] = nil }
    underWay[message.uid] = nil
    if !forgotten.isEmpty { forgotten.remove(message.uid) }
  }

  private mutating func forget(_ uid: UInt32) {
    messages.remove(uid)
    pendingExpunges[uid] = nil
    versions[uid] = nil
    underWay[uid] = nil
    copies[uid] = nil
    if !header.isBelowNext(uid) { forgotten.insert(uid) }
  }

  /// Whether there is anything of partial messages on record, which older versions do not know.
  package var holdsPartials: Bool {
    !messages.partials.isEmpty
      || intents.values.contains(where: \.isOfPartial)
  }

  /// A number for the next intent, which no open one has.
  package var nextIntent: UInt64 { (intents.keys.max() ?? 0) + 1 }

  /// The message whose file has that base name; nil where none has.
  package func uid(of name: [UInt8]) -> UInt32? {
    messages.uid(of: name)
  }

  /// Whether a file of that base name is a message's, or a detached one.
  package func isRecorded(_ name: [UInt8]) -> Bool {
    uid(of: name) != nil || detached.contains(name)
  }

  /// The messages, by UID.
  package var sortedMessages: [BaseRecord] {
    Array(messages)
  }

  /// Base names of files whose upload or move was begun and not yet answered for.
  package var pendingNames: OctetSet {
    OctetSet(
      intents.values.compactMap {
        switch $0 {
        case .append(let upload): upload.name
        case .move(let transfer), .copy(let transfer): transfer.name
        case .follow(let following): following.message.name
        case .discard, .leave, .unmark: nil
        }
      }
    )
  }

  /// The mailboxes from which messages were on their way here, or their files.
  package var pendingSources: Set<UInt64> {
    Set(waiting.values.map(\.source)).union(
      intents.values.flatMap { intent -> [UInt64] in
        switch intent {
        case .move(let transfer), .copy(let transfer): [transfer.source]
        case .follow(let following): [following.origin.source, following.source]
        case .leave(let origin): [origin.source]
        case .append, .discard, .unmark: []
        }
      }
    )
  }

  /// What was begun that the server said OK to, while it is open what came of it.
  package var takenIntents: [Intent] { taken.compactMap { intents[$0] } }

  /// Where messages that are here were before, and are to be forgotten, by the numbers of the intents.
  package var origins: [UInt64: Intent.Origin] {
    intents.compactMapValues { if case .leave(let origin) = $0 { origin } else { nil } }
  }

  /// What tells a message of the mailbox from all others.
  package func origin(of uid: UInt32) -> Intent.Origin {
    header.origin(of: uid)
  }

  /// Whether nothing is on record of any message, nor anything under way.
  package var isEmpty: Bool { messages.isEmpty && pendingExpunges.isEmpty && intents.isEmpty }

  /// Whether the key is of this mailbox, with a UID from UIDNEXT on that was never on record.
  package func isUnseen(_ key: MessageKey) -> Bool {
    header.mayBeUnseen(key) && messages[key.uid] == nil && pendingExpunges[key.uid] == nil
      && !forgotten.contains(key.uid)
  }

  /// Whether the message is still on record.
  package func holds(_ origin: Intent.Origin) -> Bool {
    header.validity == origin.validity && messages[origin.uid] != nil
  }

  /// Files removed in the 24 hours before `now` (seconds since 1970).
  package func recentDeletions(now: Int64) -> Int {
    deletions.filter { $0.key > now / 3600 - 24 }.values.reduce(0, +)
  }
}

/// A new file that is a copy of a message, and waits for what becomes of that.
package struct WaitingCopy: Hashable {
  /// When a run first saw it, in seconds since 1970.
  package let since: Int64
  /// The id of the mailbox of the message.
  package let source: UInt64
}
