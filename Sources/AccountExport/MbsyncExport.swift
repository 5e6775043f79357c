package import Configuration
internal import MailModel
internal import Maildir
internal import Octets
package import Platform
internal import SyncPlan
internal import SyncState

/// Why an account cannot be handed over.
package enum ExportFailure: Error, Hashable, Sendable {
  /// It has no server, or was never synced.
  case neverSynced
  /// Another run of Magnum is at it.
  case locked
  /// What is recorded of a mailbox cannot be read.
  case unreadable(Path)
  /// Something was begun on the server, and it is not known yet what came of it: a sync finds out.
  case unfinished(mailbox: [UInt8])
  /// A call of the system failed.
  case system(SystemError)
}

/// Lets mbsync take over the Maildir of an account: its first run then fetches and uploads nothing.
///
/// Each file whose message is on the server gets a UID in its name, and each mailbox the two files in which mbsync keeps what
/// it knows. No message is touched. Magnum itself still knows all files afterwards, by their contents.
package struct MbsyncExport {
  /// The mailboxes with their names.
  package let boxes: [MbsyncBox]
  private let places: AccountPlaces
  private let journals: [Journal]
  private let lock: FileLock
  /// Where the records are while names change.
  private let aside: Path

  /// Locks the account, and reads what is recorded of it.
  ///
  /// - Throws: where it was never synced, is being synced, or its records cannot be read.
  package init(_ account: Account) throws(ExportFailure) {
    places = AccountPlaces(of: account)
    lock = try Self.lock(places.store)
    aside = places.store.directory.appending("mailboxes-exported")
    try Self.takeBack(aside, places.store)
    journals = try Self.journals(places.store)
    guard !journals.isEmpty else { throw .neverSynced }
    for journal in journals where !journal.state.intents.isEmpty {
      throw .unfinished(mailbox: journal.state.header.mailbox)
    }
    boxes = journals.map { MbsyncBox($0.state.header, layout: account.layout) }
  }

  private static func lock(_ store: StateStore) throws(ExportFailure) -> FileLock {
    let directory = try calling { () throws(SystemError) in
      try FileSystem.status(store.directory)
    }
    guard directory != nil else { throw .neverSynced }
    let attempt = try calling { () throws(SystemError) in try FileLock.acquire(store.lock) }
    switch attempt {
    case .acquired(let lock): return lock
    case .heldByOther, .unsupported: throw .locked
    }
  }

  private static func journals(_ store: StateStore) throws(ExportFailure) -> [Journal] {
    var found: [Journal] = []
    for id in try calling({ () throws(SystemError) in try store.recorded() }).sorted() {
      switch try calling({ () throws(SystemError) in try store.open(id) }) {
      case .absent: break
      case .present(let journal): found.append(journal)
      case .untrusted(let path, _), .newer(let path): throw .unreadable(path)
      }
    }
    return found.sorted {
      $0.state.header.mailbox.lexicographicallyPrecedes($1.state.header.mailbox)
    }
  }

  private static func calling<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(ExportFailure) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }

  /// Gives the files their names, and writes what mbsync is to know; durable on return.
  ///
  /// May be begun again where it was cut short; once it is done, only after another sync, since mbsync has changed more by
  /// then than is recorded.
  ///
  /// - Parameter validity: what the new UIDs stand under; the time in seconds since 1970.
  /// - Returns: the number of messages that both sides have.
  /// - Throws: the error of the call that failed; mbsync must not be run then.
  package func write(validity: UInt32) throws(ExportFailure) -> Int {
    do throws(SystemError) {
      try FileSystem.rename(places.store.mailboxes, to: aside)
      try FileSystem.synchroniseDirectory(places.store.directory)
      var count = 0
      for journal in journals { count += try write(journal.state, validity: validity) }
      try Self.remove(aside)
      return count
    } catch {
      throw .system(error)
    }
  }

  /// Records that an export left when it was cut short count again, unless a sync has made others since.
  private static func takeBack(_ aside: Path, _ store: StateStore) throws(ExportFailure) {
    do throws(SystemError) {
      guard try FileSystem.status(aside) != nil else { return }
      guard try store.recorded().isEmpty else { return try remove(aside) }
      if try FileSystem.status(store.mailboxes) != nil { try remove(store.mailboxes) }
      try FileSystem.rename(aside, to: store.mailboxes)
    } catch {
      throw .system(error)
    }
  }

  private static func remove(_ directory: Path) throws(SystemError) {
    var names: [[UInt8]] = []
    try FileSystem.entries(of: directory) { name, _ in names.append(Array(name)) }
    for name in names { try FileSystem.remove(directory.appending(name)) }
    try FileSystem.removeDirectory(directory)
    try FileSystem.synchroniseDirectory(directory.parent)
  }

  private func write(_ state: MailboxState, validity: UInt32) throws(SystemError) -> Int {
    let maildir = places.tree.path(of: state.header.directory)
    guard let scan = try MaildirScan.scanIfPresent(maildir) else { return 0 }
    // While names change, mbsync must not take the old state for the truth.
    for name in [".mbsyncstate", ".uidvalidity"] {
      let file = maildir.appending(name)
      if try FileSystem.status(file) != nil { try FileSystem.remove(file) }
    }
    let pairs = try rename(scan.files, state, in: maildir)
    let known = state.messages.keys.max() ?? 0
    let text = MbsyncStateText(
      farValidity: state.header.validity,
      nearValidity: validity,
      highestFar: max(known, state.header.uidNext > 0 ? state.header.uidNext - 1 : 0),
      pairs: pairs
    )
    for subdirectory in [Subdirectory.cur, .new] {
      try FileSystem.synchroniseDirectory(subdirectory.path(in: maildir))
    }
    try AtomicFile.replace(maildir.appending(".uidvalidity"), with: text.validity)
    try AtomicFile.replace(maildir.appending(".mbsyncstate"), with: text.octets)
    return pairs.count
  }

  /// Names the files whose messages are on the server, in the order of their UIDs there.
  private func rename(
    _ files: FileTable,
    _ state: MailboxState,
    in maildir: Path
  ) throws(SystemError) -> [MbsyncStateText.Pair] {
    var byBase: [[UInt8]: ScannedFile] = [:]
    var others: [ScannedFile] = []
    for file in files {
      let base = MbsyncStateText.without(file.name.base)
      if byBase[base] == nil { byBase[base] = file } else { others.append(file) }
    }
    var pairs: [MbsyncStateText.Pair] = []
    for message in state.sortedMessages {
      guard let file = byBase.removeValue(forKey: MbsyncStateText.without(message.name)) else {
        // The file was removed here: mbsync removes the message, as a sync would have.
        pairs.append(pair(message, near: 0))
        continue
      }
      let near = UInt32(pairs.count + 1)
      try rename(file, to: MbsyncStateText.base(file.name.base, uid: near), in: maildir)
      pairs.append(pair(message, near: near))
    }
    // A UID that stands for something else would be taken for a message of mbsync's.
    for file in Array(byBase.values) + others {
      try rename(file, to: MbsyncStateText.without(file.name.base), in: maildir)
    }
    return pairs
  }

  private func pair(_ message: BaseRecord, near: UInt32) -> MbsyncStateText.Pair {
    MbsyncStateText.Pair(far: message.uid, near: near, flags: message.flags.system.characters)
  }

  private func rename(_ file: ScannedFile, to base: [UInt8], in maildir: Path) throws(SystemError) {
    guard base != file.name.base else { return }
    let directory = file.subdirectory.path(in: maildir)
    let target = directory.appending(file.name.with(base: base).octets)
    try FileSystem.renameWithoutReplacing(file.path(in: maildir), to: target)
  }
}
