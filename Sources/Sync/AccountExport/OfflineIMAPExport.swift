package import Configuration
internal import Maildir
internal import MailModel
internal import Octets
internal import Platform
internal import SyncPlan
internal import SyncState

/// Lets offlineimap take over the Maildir of an account: its first run then fetches and uploads nothing.
///
/// Each file whose message is on the server gets its UID and the digest of its folder in its name, and a directory beside the
/// mail has what offlineimap keeps of each mailbox. No message is touched.
package struct OfflineIMAPExport {
  /// The configuration of offlineimap for the account.
  package let configuration: OfflineIMAPConfiguration
  private let handOver: HandOver
  private let folders: OfflineIMAPFolders
  private let metadata: OfflineIMAPMetadata

  /// Locks the account, and reads what is recorded of it.
  ///
  /// - Throws: where it was never synced, is being synced, or its records cannot be read.
  package init(_ account: Account) throws(ExportFailure) {
    handOver = try HandOver(account)
    try Self.checkSettings(account.sync)
    folders = OfflineIMAPFolders(
      handOver.states.map(\.header),
      handOver.names,
      layout: account.layout,
      here: account.recordedNames()
    )
    metadata = OfflineIMAPMetadata(account)
    configuration = OfflineIMAPConfiguration(account, folders, metadata)
  }

  /// One repository has one direction for all of its folders.
  private static func checkSettings(_ sync: SyncSettings) throws(ExportFailure) {
    for mailbox in sync.mailboxes {
      let own = sync.settings(from: mailbox)
      guard own.direction == sync.direction, own.create == sync.create,
        own.localDeletion == sync.localDeletion, own.remoteDeletion == sync.remoteDeletion
      else { throw .ownSettings(pattern: mailbox.pattern.octets) }
    }
  }

  /// Gives the files their names, and writes what offlineimap is to know; durable on return.
  ///
  /// May be begun again where it was cut short; once it is done, only after another sync.
  ///
  /// - Returns: what it came to.
  /// - Throws: the error of the call that failed; offlineimap must not be run then.
  package func write() throws(ExportFailure) -> ExportCount {
    try HandOver.calling { () throws(SystemError) in try metadata.prepare() }
    return try handOver.perform { (state, files) throws(SystemError) in
      guard let box = folders.boxes[state.header.mailbox] else { return 0 }
      return try write(state, files, box)
    }
  }

  private func write(
    _ state: MailboxState,
    _ files: FileTable,
    _ box: OfflineIMAPBox
  ) throws(SystemError) -> Int {
    let maildir = handOver.places.tree.path(of: state.header.directory)
    // While names change, offlineimap must not take the old list for the truth.
    try metadata.forget(box)
    let count = try rename(files, state, box, in: maildir)
    try HandOver.synchronise(maildir)
    try metadata.write(StatusDatabase(Self.rows(state)), box, validity: state.header.validity)
    return count
  }

  /// The messages by UID; also those that are to go for good, which offlineimap would fetch again, and removes this way.
  private static func rows(_ state: MailboxState) -> [StatusDatabase.Row] {
    let messages = state.sortedMessages.map { (uid: $0.uid, flags: $0.flags) }
    let going = state.pendingExpunges.map { (uid: $0.key, flags: $0.value.former?.flags) }
    let all = messages + going.map { (uid: $0.uid, flags: $0.flags ?? MessageFlags()) }
    return all.sorted { $0.uid < $1.uid }.map { message in
      let flags = message.flags.system.subtracting(.forwarded)
      return StatusDatabase.Row(uid: message.uid, flags: flags.characters)
    }
  }

  /// Names the files whose messages are on the server, and takes such names from all others, which offlineimap uploads.
  ///
  /// A message whose file was removed here is in the list without a file: offlineimap removes it there, as a sync would have.
  private func rename(
    _ files: FileTable,
    _ state: MailboxState,
    _ box: OfflineIMAPBox,
    in maildir: Path
  ) throws(SystemError) -> Int {
    var messages: [[UInt8]: UInt32] = [:]
    for message in state.sortedMessages {
      messages[ForeignMarks.removed(from: message.name)] = message.uid
    }
    var count = 0
    for file in files {
      let base = ForeignMarks.removed(from: file.name.base)
      guard let uid = messages.removeValue(forKey: base) else {
        try HandOver.rename(file, to: file.name.with(base: base).octets, in: maildir)
        continue
      }
      let name = Array("\(uid),FMD5=".utf8) + box.digest
      try HandOver.rename(file, to: Self.name(file, base + Array(",U=".utf8) + name), in: maildir)
      count += 1
    }
    return count
  }

  /// The name with letters that offlineimap knows; it would send any other to the server, where it means nothing, and then
  /// remove it here.
  private static func name(_ file: ScannedFile, _ base: [UInt8]) -> [UInt8] {
    guard file.name.hasInfo else { return file.name.with(base: base).octets }
    return FileName(base: base, flags: file.name.flags.subtracting(.forwarded)).octets
  }
}

/// The files in which offlineimap keeps what it knows of an account, below `.offlineimap` beside the mail.
struct OfflineIMAPMetadata {
  let root: Path
  /// The names of the repositories.
  let near: String
  let far: String
  private let account: String

  init(_ account: Account) {
    root = account.maildir.appending(".offlineimap")
    self.account = account.name
    near = "\(account.name)-near"
    far = "\(account.name)-far"
  }

  private var lists: Path { root.appending("Account-\(account)").appending("LocalStatus-sqlite") }

  private func validities(_ repository: String) -> Path {
    root.appending("Repository-\(repository)").appending("FolderValidity")
  }

  /// Makes the directories.
  func prepare() throws(SystemError) {
    for directory in [lists, validities(near), validities(far)] {
      try FileSystem.makeDirectories(directory)
    }
  }

  /// Removes the list of a mailbox.
  func forget(_ box: OfflineIMAPBox) throws(SystemError) {
    let file = lists.appending(box.statusFile)
    if try FileSystem.status(file) != nil { try FileSystem.remove(file) }
  }

  /// Writes the list of a mailbox and what its UIDs stand under; durable on return.
  func write(
    _ list: StatusDatabase,
    _ box: OfflineIMAPBox,
    validity: UInt32
  ) throws(SystemError) {
    let server = validities(far).appending(box.serverFile)
    try AtomicFile.replace(server, with: Array("\(validity)\n".utf8))
    // Folders have the same there whatever happens.
    let folder = validities(near).appending(box.folderFile)
    try AtomicFile.replace(folder, with: Array("42\n".utf8))
    try AtomicFile.replace(lists.appending(box.statusFile), with: list.octets)
  }
}
