internal import MailModel
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Messages of one mailbox that lie complete in tmp, and what became of them when they got their places.
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
    /// The files whose messages are unseen, and came to where new mail lies.
    var unseen: [ScannedFile] = []
    var octets: UInt64 = 0
    /// Those whose names are taken by different files.
    var taken: [(uid: UInt32, path: Path)] = []
  }

  /// The messages that have no place.
  private(set) var open: [Item] = []
  /// What became of the others.
  private var outcome = Outcome()
  /// Whether all are drafts.
  private let isDrafts: Bool
  private let arrivalKeyword: [UInt8]?

  /// No messages of a mailbox; of drafts it is also recorded what the file looks like.
  init(isDrafts: Bool, arrivalKeyword: [UInt8]?) {
    self.isDrafts = isDrafts
    self.arrivalKeyword = arrivalKeyword
  }

  /// Adds a message.
  mutating func add(_ item: Item) { open.append(item) }

  /// Where the messages are to go that have no place, at that attempt from 0.
  func placements(_ journal: SharedJournal, attempt: Int) -> [Placement] {
    journal.read { state in open.map { Self.placement($0, state, attempt) } }
  }

  /// Takes what became of the placements; those whose names are taken have no place.
  ///
  /// - Throws: why one of them could not get it.
  mutating func applyResults(
    _ results: some Sequence<(Placement, Placement.Outcome)>
  ) throws(SystemError) {
    var collided: [Item] = []
    for (item, (placement, result)) in zip(open, results) {
      switch result {
      case .placed, .adopted: try recordPlaced(item, placement)
      case .collision: collided.append(item)
      case .failed(let error): throw error
      }
    }
    open = collided
  }

  private mutating func recordPlaced(_ item: Item, _ placement: Placement) throws(SystemError) {
    let file = ScannedFile(name: placement.name, subdirectory: placement.subdirectory)
    outcome.records.append(.message(Self.record(item, placement.name)))
    outcome.files.append(file)
    if isDrafts || item.message.flags.system.contains(.draft) {
      outcome.records += try Self.version(item, placement)
    }
    outcome.messages += 1
    if item.completeness.isPartial { outcome.partial += 1 }
    if isNew(item.message.flags) { outcome.unseen.append(file) }
    outcome.octets += UInt64(item.file.wireSize)
  }

  private func isNew(_ flags: MessageFlags) -> Bool {
    guard !flags.system.contains(.seen) else { return false }
    return arrivalKeyword.map(flags.keywords.contains) ?? true
  }

  /// What became of all: no further attempt is made.
  var end: Outcome {
    var outcome = outcome
    for item in open { outcome.taken.append((item.message.uid, item.file.temporaryPath)) }
    return outcome
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
