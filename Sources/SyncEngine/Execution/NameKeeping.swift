internal import MailStore
internal import Mailboxes
internal import Maildir
internal import MessageContent
internal import Octets
internal import Platform
internal import SyncEvents
internal import SyncPlan
internal import SyncState

/// Gives files of an account that keeps what the server loses names that tell of themselves what the files are.
///
/// The file of a message gets the key of its own mailbox, so that it counts as synced though all records are lost; a
/// detached one gets the mark, so that it is uploaded nowhere.
struct NameKeeping {
  /// What it came to.
  private(set) var outcome = StepOutcome.Part()
  private let mailbox: OpenMailbox
  private var touched: Set<Path> = []

  init(_ mailbox: OpenMailbox) {
    self.mailbox = mailbox
  }

  /// Renames and records; durable when it returns.
  ///
  /// A run that is ended between a rename and its record is followed by one that finds the message by the key, and the
  /// detached file by its mark.
  mutating func run() throws(SyncFailure) {
    let state = mailbox.state
    var records: [StateRecord] = []
    for message in state.sortedMessages where !isKeyed(message.name) {
      records += try rename(message, state)
    }
    for name in state.detached.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where !DetachedName.isOne(name) && !NoticeName.isOne(name) && state.uid(of: name) == nil {
      guard let file = mailbox.file(of: name) else { continue }
      let new = DetachedName.base(name)
      if try rename(file, to: new) { records.append(.detached(name: new)) }
    }
    guard !records.isEmpty else { return }
    for directory in touched.sorted() {
      try attempt { () throws(SystemError) in try FileSystem.synchroniseDirectory(directory) }
    }
    try mailbox.record(records)
  }

  /// Whether the name has a key of this mailbox, and no mark.
  private func isKeyed(_ name: [UInt8]) -> Bool {
    guard let key = MessageKey(baseName: name), key.mailbox == mailbox.state.header.id else {
      return false
    }
    return !DetachedName.isOne(name)
  }

  private mutating func rename(
    _ message: BaseRecord,
    _ state: MailboxState
  ) throws(SyncFailure) -> [StateRecord] {
    guard let file = mailbox.file(of: message.name), state.uid(of: message.name) == message.uid,
      let size = try size(of: file)
    else { return [] }
    let header = state.header
    var renamed = message
    renamed.name = MessageKey.baseName(
      date: message.date,
      key: MessageKey(validity: header.validity, uid: message.uid, mailbox: header.id),
      size: Int(size),
      wireSize: Int(clamping: message.size)
    )
    guard state.uid(of: renamed.name) == nil, try rename(file, to: renamed.name) else { return [] }
    let version = state.versions[message.uid].map { StateRecord.version(uid: message.uid, $0) }
    return [.message(renamed)] + (version.map { [$0] } ?? [])
  }

  /// The octets of the file; nil where it is gone.
  private func size(of file: ScannedFile) throws(SyncFailure) -> Int64? {
    let path = file.path(in: mailbox.directory)
    let status = try attempt { () throws(SystemError) in try FileSystem.status(path) }
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
      guard error.isNotFound || error.isAlreadyThere else { throw .system(error) }
      outcome.isComplete = false
      return false
    }
    touched.insert(directory)
    let renamed = ScannedFile(name: name, subdirectory: file.subdirectory)
    mailbox.noteRename(to: renamed)
    let folder = mailbox.mailbox.directory
    outcome.changes.append(.renamed(folder: folder, file, toFolder: folder, renamed))
    return true
  }
}
