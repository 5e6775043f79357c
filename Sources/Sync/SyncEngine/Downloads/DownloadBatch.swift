internal import MailModel
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Messages that lie complete in tmp and become durable, visible and recorded together.
struct DownloadBatch {
  /// One message of a batch.
  struct Item {
    var message: RemoteMessage
    var file: DeliveredMessage
    var identity: ContentIdentity
    /// How much of the message the file holds.
    var completeness: Completeness
  }

  /// What became of a batch.
  struct Outcome {
    var records: [StateRecord] = []
    var files: [ScannedFile] = []
    var messages = 0
    /// Those of them of which only parts are here.
    var partial = 0
    /// The files whose messages are unseen.
    var unseen: [ScannedFile] = []
    var octets: UInt64 = 0
    var taken: [(uid: UInt32, path: Path)] = []
  }

  /// Messages in a batch at most.
  private static let countLimit = 1000
  /// Octets in a batch at most.
  private static let octetLimit = 32 << 20
  /// Seconds from the first message of a batch to its end, so that a slow link shows progress.
  private static let secondsLimit = 2.0
  /// Up to so many files are flushed one by one: what flushes all waits for what other programs wrote too.
  private static let fewFiles = 32
  /// Names that are tried for a message whose own is taken by a different file.
  private static let nameAttempts = 3

  private var items: [Item] = []
  private var octets = 0
  private var deadline = Deadline.never

  /// Whether it is time to commit.
  var isFull: Bool {
    items.count >= Self.countLimit || octets >= Self.octetLimit || deadline.isPast
  }

  var isEmpty: Bool { items.isEmpty }

  /// Adds a message.
  mutating func add(_ item: Item) {
    if items.isEmpty { deadline = .after(seconds: Self.secondsLimit) }
    items.append(item)
    octets += item.file.size
  }

  /// Gives every message its place; they are durable when it returns, the records are still to be written.
  ///
  /// Of drafts it is also recorded what the file looks like; `isDrafts` says that all are drafts.
  func commit(_ journal: SharedJournal, isDrafts: Bool) throws(SystemError) -> Outcome {
    var outcome = Outcome()
    var open = items
    for attempt in 0..<Self.nameAttempts where !open.isEmpty {
      let placements = journal.read { state in open.map { Self.placement($0, state, attempt) } }
      let results = try MaildirCommit.commit(
        placements,
        synchronising: open.count <= Self.fewFiles ? .each : .fileSystem
      )
      open = try Self.sort(zip(zip(open, placements), results), isDrafts, into: &outcome)
    }
    for item in open { outcome.taken.append((item.message.uid, item.file.temporaryPath)) }
    return outcome
  }

  private static func sort(
    _ results: some Sequence<((Item, Placement), Placement.Outcome)>,
    _ isDrafts: Bool,
    into outcome: inout Outcome
  ) throws(SystemError) -> [Item] {
    var collided: [Item] = []
    for ((item, placement), result) in results {
      switch result {
      case .placed, .adopted:
        let file = ScannedFile(name: placement.name, subdirectory: placement.subdirectory)
        outcome.records.append(.message(record(item, placement.name)))
        outcome.files.append(file)
        if isDrafts || item.message.flags.system.contains(.draft) {
          outcome.records += try version(item, placement)
        }
        outcome.messages += 1
        if item.completeness.isPartial { outcome.partial += 1 }
        if !item.message.flags.system.contains(.seen) { outcome.unseen.append(file) }
        outcome.octets += UInt64(item.file.wireSize)
      case .collision: collided.append(item)
      case .failed(let error): throw error
      }
    }
    return collided
  }

  /// Unseen messages without any mark go to new/, as deliveries do; all others to cur/.
  private static func placement(
    _ item: Item,
    _ state: MailboxState,
    _ attempt: Int
  ) -> Placement {
    let base = baseName(item, state, attempt)
    let flags = item.message.flags.system
    return Placement(
      message: item.file,
      subdirectory: flags.isEmpty ? .new : .cur,
      name: flags.isEmpty
        ? FileName(base) : FileName(base: base, flags: flags)
    )
  }

  /// The name of a message's file; one that stands for another message is left to it, whatever is in that file.
  private static func baseName(_ item: Item, _ state: MailboxState, _ attempt: Int) -> [UInt8] {
    let header = state.header
    let key = MessageKey(validity: header.validity, uid: item.message.uid, mailbox: header.id)
    let date = item.message.date ?? 0
    let (size, wireSize) = (item.file.size, item.file.wireSize)
    let name =
      item.completeness.isPartial
      ? MessageKey.baseName(date: date, key: key)
      : MessageKey.baseName(date: date, key: key, size: size, wireSize: wireSize)
    let owner = state.uid(of: name)
    let number = attempt + (owner == nil || owner == item.message.uid ? 0 : 1)
    return number == 0 ? name : FreshName.form(number, of: name)
  }

  private static func version(
    _ item: Item,
    _ placement: Placement
  ) throws(SystemError) -> [StateRecord] {
    let directory = placement.subdirectory.path(in: placement.message.maildir)
    let status = try FileSystem.status(directory.appending(placement.name.octets))
    // It was renamed already: the next visit records what it looks like then.
    return status.map { [.version(uid: item.message.uid, FileVersion($0))] } ?? []
  }

  private static func record(_ item: Item, _ name: FileName) -> BaseRecord {
    BaseRecord(
      uid: item.message.uid,
      name: name.base,
      flags: item.message.flags,
      size: item.message.size ?? UInt64(item.file.wireSize),
      date: item.message.date,
      identity: item.identity,
      completeness: item.completeness
    )
  }
}
