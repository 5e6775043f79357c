internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Gives files of an account that keeps what the server loses names that tell of themselves what the files are.
///
/// The file of a message gets the key of its own mailbox, so that it counts as synced even if all records are lost. A detached
/// file gets the mark, so that it is never uploaded.
struct KeyedNames {
  /// What it came to.
  private(set) var outcome = StepOutcome.Part()
  private let mailbox: OpenMailbox
  /// The directory of the account's own files.
  private let account: Path
  private var touched: Set<Path> = []
  /// The names that files had before they were marked.
  private var marked: OctetSet = []

  /// A file that is to get another name.
  private enum Change {
    case message(ScannedFile, BaseRecord)
    case detached(ScannedFile)
  }

  init(_ mailbox: OpenMailbox, account: Path) {
    self.mailbox = mailbox
    self.account = account
  }

  /// Renames and records; durable when it returns.
  ///
  /// After a run that was interrupted between a rename and its record, the next one finds the message by the key, and the
  /// detached file by its mark. The tags of both are recorded under the new name before the rename.
  mutating func renameFiles() throws(SyncFailure) {
    guard SyncRule.keys.isOn else { return }
    try carryOut(try findMessages() + findDetached())
  }

  /// Marks files that are about to be detached, by their base names; gives those that bear the mark now.
  mutating func mark(_ names: [[UInt8]]) throws(SyncFailure) -> OctetSet {
    let files = names.filter { !DetachedName.isOne($0) && !NoticeName.isOne($0) }
      .compactMap { mailbox.file(of: $0) }
    try carryOut(files.map { .detached($0) })
    return marked
  }

  private mutating func carryOut(_ changes: [Change]) throws(SyncFailure) {
    guard !changes.isEmpty else { return }
    try copyTags(changes)
    var records: [StateRecord] = []
    for change in changes {
      switch change {
      case .message(let file, let renamed):
        if try rename(file, to: renamed.name) { records += self.records(renamed) }
      case .detached(let file):
        guard let name = try mark(file) else { continue }
        records.append(.detached(name: name))
        marked.insert(file.name.base)
      }
    }
    for directory in touched.sorted() {
      try attempt(FileSystem.synchroniseDirectory(directory))
    }
    try mailbox.record(records)
  }

  /// The files of messages whose names have no key of the mailbox.
  private func findMessages() throws(SyncFailure) -> [Change] {
    let state = mailbox.state
    var changes: [Change] = []
    for message in state.sortedMessages where !isKeyed(message.name) {
      guard let file = mailbox.file(of: message.name), state.uid(of: message.name) == message.uid,
        let renamed = try renamed(message, file), state.uid(of: renamed.name) == nil
      else { continue }
      changes.append(.message(file, renamed))
    }
    return changes
  }

  /// The detached files without the mark.
  private func findDetached() -> [Change] {
    let state = mailbox.state
    var changes: [Change] = []
    for name in state.detached.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where !DetachedName.isOne(name) && !NoticeName.isOne(name) && state.uid(of: name) == nil {
      if let file = mailbox.file(of: name) { changes.append(.detached(file)) }
    }
    return changes
  }

  private func copyTags(_ changes: [Change]) throws(SyncFailure) {
    guard mailbox.tagFile != nil else { return }
    let renames = changes.map { change -> (from: [UInt8], to: [UInt8]) in
      switch change {
      case .message(let file, let renamed): (file.name.base, renamed.name)
      case .detached(let file): (file.name.base, DetachedName.base(file.name.base))
      }
    }
    let directory = mailbox.directory
    try attempt(FolderTags.copy(renames, in: directory, state: account))
  }

  /// Whether the name has a key of this mailbox, and no mark.
  private func isKeyed(_ name: [UInt8]) -> Bool {
    guard let key = MessageKey(baseName: name), key.mailbox == mailbox.state.header.id else {
      return false
    }
    return !DetachedName.isOne(name)
  }

  /// The message under the name with its key; nil where its file is gone.
  private func renamed(
    _ message: BaseRecord,
    _ file: ScannedFile
  ) throws(SyncFailure) -> BaseRecord? {
    guard let size = try size(of: file) else { return nil }
    let date = message.date ?? 0
    let header = mailbox.state.header
    let key = MessageKey(validity: header.validity, uid: message.uid, mailbox: header.id)
    var renamed = message
    renamed.name =
      message.completeness.isPartial
      ? MessageKey.baseName(date: date, key: key)
      : MessageKey.baseName(
        date: date,
        key: key,
        size: Int(size),
        wireSize: Int(clamping: message.size ?? 0)
      )
    return renamed
  }

  private func records(_ renamed: BaseRecord) -> [StateRecord] {
    let version = mailbox.state.versions[renamed.uid]
      .map { StateRecord.version(uid: renamed.uid, $0) }
    return [.message(renamed)] + (version.map { [$0] } ?? [])
  }

  /// The octets of the file; nil where it is gone.
  private func size(of file: ScannedFile) throws(SyncFailure) -> Int64? {
    let path = file.path(in: mailbox.directory)
    let status = try attempt(FileSystem.status(path))
    return status?.size
  }

  /// Whether the file has the base name now; it stays in its directory and keeps its flags.
  private mutating func rename(_ file: ScannedFile, to base: [UInt8]) throws(SyncFailure) -> Bool {
    let name = file.name.with(base: base)
    let directory = file.subdirectory.path(in: mailbox.directory)
    do throws(SystemError) {
      let target = directory.appending(name.octets)
      try FileSystem.renameWithoutReplacing(file.path(in: mailbox.directory), to: target)
    } catch {
      try leave(file, error)
      return false
    }
    recordRename(file, ScannedFile(name: name, subdirectory: file.subdirectory))
    return true
  }

  /// The base name with the mark; nil where the file is gone.
  private mutating func mark(_ file: ScannedFile) throws(SyncFailure) -> [UInt8]? {
    let marked: ScannedFile
    do throws(SystemError) {
      marked = try DetachedFile.mark(file, in: mailbox.directory)
    } catch {
      try leave(file, error)
      return nil
    }
    recordRename(file, marked)
    return marked.name.base
  }

  /// Leaves a file its name that is gone, or that cannot be renamed where others can.
  private mutating func leave(_ file: ScannedFile, _ error: SystemError) throws(SyncFailure) {
    if error.isNotFound || error.isAlreadyThere {
      outcome.isComplete = false
    } else if error.isOfThisFileAlone {
      outcome.fail(.file(file.name.base, .unchangeable(error)))
    } else {
      throw .system(error)
    }
  }

  private mutating func recordRename(_ file: ScannedFile, _ renamed: ScannedFile) {
    touched.insert(file.subdirectory.path(in: mailbox.directory))
    mailbox.noteRename(to: renamed)
    let folder = mailbox.mailbox.directory
    outcome.changes.append(.renamed(folder: folder, file, toFolder: folder, renamed))
  }
}
