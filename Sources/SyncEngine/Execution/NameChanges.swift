internal import MailModel
internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncEvents
internal import SyncPlan
internal import SyncState

/// Renames and removals in one Maildir, which become durable and are recorded together.
struct NameChanges {
  /// What they came to.
  private(set) var outcome = StepOutcome.Part()
  private let mailbox: OpenMailbox
  private var records: [StateRecord] = []
  private var touched: Set<Path> = []
  private var changes: [MaildirChange] = []
  /// Files that were moved here and are not recorded yet, by base name.
  private var relocated: [[UInt8]] = []
  private lazy var nextIntent = mailbox.state.nextIntent
  private lazy var uids = mailbox.uids
  private lazy var remote = RemoteIndex(mailbox.remote.view)

  init(_ mailbox: OpenMailbox) {
    self.mailbox = mailbox
  }

  /// Gives files the flags and the places that the server wants; durable when it returns.
  ///
  /// What a file is about to show is on record before it does: an ended run must not leave a flag that looks as if somebody
  /// had set it here.
  ///
  /// - Parameters:
  ///   - renames: what files get.
  ///   - group: the mailboxes that are worked on together, by their ids.
  ///   - interruption: where it is requested, no further file is renamed.
  /// - Throws: `SyncFailure.interrupted` where it was, once what was done is durable and recorded; else what failed.
  mutating func run(
    _ renames: [LocalRename],
    in group: [UInt64: OpenMailbox],
    _ interruption: Interruption
  ) throws(SyncFailure) {
    try announce(renames, group)
    for rename in renames where !interruption.isRequested { try carryOut(rename, group) }
    try settle()
    if interruption.isRequested, !renames.isEmpty { throw .interrupted }
  }

  private func announce(
    _ renames: [LocalRename],
    _ group: [UInt64: OpenMailbox]
  ) throws(SyncFailure) {
    var announced: [UInt64: [StateRecord]] = [:]
    for rename in renames {
      guard let change = flagChange(rename, group) else { continue }
      let flags = FlagsUnderWay(shown: change.flags)
      announced[change.owner, default: []].append(.flagsUnderWay(uid: change.uid, flags))
    }
    for (owner, records) in announced.sorted(by: { $0.key < $1.key }) {
      try group[owner]?.record(records)
    }
  }

  /// The flags of the file that change, and the mailbox that has its message on record; nil where there are none.
  private func flagChange(
    _ rename: LocalRename,
    _ group: [UInt64: OpenMailbox]
  ) -> (owner: UInt64, uid: UInt32, flags: SystemFlags)? {
    let (owner, uid, file, flags): (UInt64, UInt32, ScannedFile?, SystemFlags)
    switch rename {
    case .setFlags(let name, let changed, let new, _):
      (owner, uid, file, flags) = (mailbox.mailbox.id, changed, mailbox.file(of: name), new)
    case .relocate(let name, let source, _, _, let new, _, _, let former):
      guard let former else { return nil }
      (owner, uid, flags) = (former.mailbox, former.uid, new)
      file = group[source]?.file(of: name)
    }
    guard let changed = file?.name.flags.symmetricDifference(flags), !changed.isEmpty
    else { return nil }
    return (owner, uid, changed)
  }

  private mutating func carryOut(
    _ rename: LocalRename,
    _ group: [UInt64: OpenMailbox]
  ) throws(SyncFailure) {
    switch rename {
    case .setFlags(let name, let uid, let flags, let agreed):
      try setFlags(name, flags, .flags(uid: uid, agreed))
    case .relocate(
      let name,
      let source,
      let new,
      let message,
      let flags,
      let identity,
      let completeness,
      let former
    ):
      guard let source = group[source] else { return }
      let origin = former.flatMap { group[$0.mailbox]?.state.origin(of: $0.uid) }
      let content = FileContent(identity: identity, completeness: completeness)
      try relocate(name, from: source, as: new, message, flags, content, leaving: origin)
    }
  }

  /// Renames a file to show the flags; left out where another program was faster.
  private mutating func setFlags(
    _ name: [UInt8],
    _ flags: SystemFlags,
    _ record: StateRecord
  ) throws(SyncFailure) {
    guard let file = mailbox.file(of: name) else { return skip() }
    guard try move(file, of: mailbox, showing: flags) else { return }
    records.append(record)
    outcome.counts.flags += 1
  }

  /// What is recorded of the content of a file.
  private struct FileContent {
    let identity: ContentIdentity?
    let completeness: Completeness
  }

  /// Moves a file of another mailbox here, where the server has its message; `origin` is where that is on record still.
  private mutating func relocate(
    _ name: [UInt8],
    from source: OpenMailbox,
    as new: [UInt8],
    _ message: RemoteMessage,
    _ flags: SystemFlags,
    _ content: FileContent,
    leaving origin: Intent.Origin?
  ) throws(SyncFailure) {
    guard let file = source.file(of: name) else { return skip() }
    guard try move(file, of: source, as: new, showing: flags) else { return }
    relocated.append(name)
    let record = BaseRecord(
      uid: message.uid,
      name: new,
      flags: message.flags,
      size: message.size ?? 0,
      date: message.date ?? 0,
      identity: content.identity,
      completeness: content.completeness
    )
    // A file is one message's: what else had this name here is gone, even where the run ends before it says so.
    let namesake = uids[new].flatMap { $0 == message.uid ? nil : $0 }
    if let namesake, remote.isGone(namesake), !(origin.map { isRecord(namesake, $0) } ?? false) {
      records.append(.gone(uid: namesake))
    }
    if let origin {
      records.append(.arrived(record, number: nextIntent, from: origin))
      nextIntent += 1
    } else {
      records.append(.message(record))
    }
    records += try mailbox.version(of: record, wasDraft: source.mailbox.role == .drafts)
    outcome.counts.relocated += 1
  }

  /// Whether that is what the arrival leaves, which goes with it: in a record of its own, an ended run might have written that
  /// alone, and the file would look like one that was put back.
  private func isRecord(_ uid: UInt32, _ origin: Intent.Origin) -> Bool {
    origin.source == mailbox.mailbox.id && origin.uid == uid
  }

  /// The file of a message that the server moved, and what was changed of the flags of its former file.
  struct Successor {
    fileprivate let file: Survivor
    fileprivate let adding: SystemFlags
    fileprivate let removing: SystemFlags

    init(_ file: Survivor, _ adding: SystemFlags, _ removing: SystemFlags) {
      (self.file, self.adding, self.removing) = (file, adding, removing)
    }
  }

  /// Has the file show the flags; durable when it returns.
  ///
  /// The next run tells the server, as of any file that was flagged. False where the file is not there any more.
  mutating func passFlags(to successor: Successor, in tree: FolderTree) throws(SyncFailure) -> Bool
  {
    let directory = tree.path(of: successor.file.directory)
    let scan = try attempt { () throws(SystemError) in
      try MaildirScan.scanIfPresent(directory)
    }
    guard let file = scan?.files[successor.file.name] else {
      skip()
      return false
    }
    let flags = file.name.flags.union(successor.adding).subtracting(successor.removing)
    guard flags != file.name.flags else { return true }
    let cur = Subdirectory.cur.path(in: directory)
    let renamed = ScannedFile(name: file.name.with(flags: flags), subdirectory: .cur)
    do throws(SystemError) {
      try FileSystem.renameWithoutReplacing(
        file.path(in: directory),
        to: cur.appending(renamed.name.octets)
      )
      try FileSystem.synchroniseDirectory(cur)
    } catch {
      try leave(file, error)
      return false
    }
    let folder = successor.file.directory
    changes.append(.renamed(folder: folder, file, toFolder: folder, renamed))
    outcome.isComplete = false
    return true
  }

  /// Removes a file; false where it was not there any more as the plan saw it, or is a draft that was written anew since.
  mutating func remove(_ name: [UInt8], _ uid: UInt32?) throws(SyncFailure) -> Bool {
    guard let file = mailbox.local.files[name] else {
      skip()
      return false
    }
    let path = file.path(in: mailbox.directory)
    do throws(SystemError) {
      if let uid, try wasWritten(file, uid) {
        skip()
        return false
      }
      try FileSystem.remove(path)
    } catch {
      try leave(file, error)
      return false
    }
    touched.insert(file.subdirectory.path(in: mailbox.directory))
    changes.append(.removed(folder: mailbox.mailbox.directory, file))
    if let uid { records.append(.gone(uid: uid)) }
    return true
  }

  /// Whether the file is another one than the version of it that is on record, and holds something else: by the same rule
  /// as the plan, or what this leaves alone is planned for ever.
  private func wasWritten(_ file: ScannedFile, _ uid: UInt32) throws(SystemError) -> Bool {
    guard let version = mailbox.state.versions[uid], version != .other,
      let message = mailbox.state.messages[uid]
    else { return false }
    return try LocalMailbox.change(
      of: file,
      of: message,
      since: version,
      in: mailbox.directory,
      mailbox.mailbox.role == .drafts
    ) == .written
  }

  /// Adds a record to those that are written with the changes.
  mutating func add(_ record: StateRecord) {
    records.append(record)
  }

  /// Makes the changes durable, then records them.
  mutating func settle() throws(SyncFailure) {
    // Where a file went before where it came from: a power cut may leave both names of it, never none.
    let own = touched.filter { $0.parent == mailbox.directory }
    for directory in own.sorted() + touched.subtracting(own).sorted() {
      try attempt { () throws(SystemError) in try FileSystem.synchroniseDirectory(directory) }
    }
    try mailbox.record(records)
    outcome.changes += changes
    for name in relocated { outcome.followed.insert(name) }
    touched = []
    changes = []
    records = []
    relocated = []
  }

  /// Whether the file now stands in cur of the mailbox with the flags.
  private mutating func move(
    _ file: ScannedFile,
    of origin: OpenMailbox,
    as base: [UInt8]? = nil,
    showing flags: SystemFlags
  ) throws(SyncFailure) -> Bool {
    let name = file.name.with(base: base).with(flags: flags)
    let cur = Subdirectory.cur.path(in: mailbox.directory)
    let source = file.path(in: origin.directory)
    let target = cur.appending(name.octets)
    guard source != target else { return true }
    do throws(SystemError) {
      try FileSystem.renameWithoutReplacing(source, to: target)
    } catch {
      try leave(file, error)
      return false
    }
    touched.insert(cur)
    touched.insert(file.subdirectory.path(in: origin.directory))
    let renamed = ScannedFile(name: name, subdirectory: .cur)
    mailbox.noteRename(to: renamed)
    changes.append(
      .renamed(
        folder: origin.mailbox.directory,
        file,
        toFolder: mailbox.mailbox.directory,
        renamed
      )
    )
    return true
  }

  /// The next run sees what became of the file.
  private mutating func skip() {
    outcome.isComplete = false
  }

  /// Leaves a file as it is that could not be changed, where others can.
  private mutating func leave(_ file: ScannedFile, _ error: SystemError) throws(SyncFailure) {
    if error.isNotFound || error.isAlreadyThere { return skip() }
    guard error.isOfThisFileAlone else { throw .system(error) }
    outcome.fail(.file(file.name.base, .unchangeable(error)))
  }
}
