internal import Configuration
internal import Maildir
internal import Octets
package import Platform
internal import SyncPlan
internal import SyncState

/// The records of an account while another program takes over its mail.
///
/// They are put aside before the first file is renamed and go once all is done: what another program does to the folders makes
/// them older than the truth. An export that was cut short is begun again with them.
struct HandOver {
  /// What is recorded of each mailbox, in the order of their names on the server.
  let states: [MailboxState]
  let places: AccountPlaces
  /// What mailboxes are called on the server, and here.
  let names: ServerNames
  private let lock: FileLock
  /// Where the records are while names change.
  private let aside: Path

  /// Locks the account, and reads what is recorded of it.
  ///
  /// - Throws: where it was never synced, is being synced, or its records cannot be read.
  init(_ account: Account) throws(ExportFailure) {
    places = AccountPlaces(of: account)
    lock = try Self.lock(places.store)
    aside = places.store.directory.appending("mailboxes-exported")
    try Self.takeBack(aside, places.store)
    states = try Self.states(places.store)
    let (store, headers) = (places.store, states.map(\.header))
    let summary = try Self.calling { () throws(SystemError) in try store.loadSummary() }
    names = try ServerNames(summary, headers)
    guard !states.isEmpty else { throw .neverSynced }
    for state in states where !state.intents.isEmpty {
      throw .unfinished(mailbox: state.header.mailbox)
    }
    for state in states where state.messages.partialCount > 0 {
      throw .partial(mailbox: state.header.mailbox, messages: state.messages.partialCount)
    }
    var check = HandOverCheck(places)
    try check.checkFolders(states)
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

  private static func states(_ store: StateStore) throws(ExportFailure) -> [MailboxState] {
    var found: [MailboxState] = []
    for id in try calling({ () throws(SystemError) in try store.recorded() }).sorted() {
      switch try calling({ () throws(SystemError) in try store.open(id) }) {
      case .absent: break
      case .present(let journal): found.append(journal.state)
      case .untrusted(let path, _), .newer(let path): throw .unreadable(path)
      }
    }
    return found.sorted { $0.header.mailbox.lexicographicallyPrecedes($1.header.mailbox) }
  }

  static func calling<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(ExportFailure) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }

  /// Has each mailbox handed over, with the files in its folder; durable on return.
  ///
  /// Mailboxes whose folder is not there are skipped.
  ///
  /// - Parameter work: gives the number of messages that both sides have.
  /// - Returns: what it came to.
  /// - Throws: the error of the call that failed; the other program must not be run then.
  func perform(
    _ work: (MailboxState, FileTable) throws(SystemError) -> Int
  ) throws(ExportFailure) -> ExportCount {
    try Self.calling { () throws(SystemError) in
      try FileSystem.rename(places.store.mailboxes, to: aside)
      try FileSystem.synchroniseDirectory(places.store.directory)
      var count = ExportCount()
      for state in states {
        let maildir = places.tree.path(of: state.header.directory)
        guard let scan = try MaildirScan.scanIfPresent(maildir) else { continue }
        count.detached += scan.files.count { DetachedName.isOne($0.name.base) }
        count.messages += try work(state, scan.files)
      }
      try Self.remove(aside)
      return count
    }
  }

  /// Records that an export left when it was cut short count again, unless a sync has made others since.
  private static func takeBack(_ aside: Path, _ store: StateStore) throws(ExportFailure) {
    try calling { () throws(SystemError) in
      guard try FileSystem.status(aside) != nil else { return }
      guard try store.recorded().isEmpty else { return try remove(aside) }
      if try FileSystem.status(store.mailboxes) != nil { try remove(store.mailboxes) }
      try FileSystem.rename(aside, to: store.mailboxes)
    }
  }

  private static func remove(_ directory: Path) throws(SystemError) {
    var names: [[UInt8]] = []
    try FileSystem.entries(of: directory) { name, _ in names.append(Array(name)) }
    for name in names { try FileSystem.remove(directory.appending(name)) }
    try FileSystem.removeDirectory(directory)
    try FileSystem.synchroniseDirectory(directory.parent)
  }

  /// Gives a file another name in its directory.
  static func rename(
    _ file: ScannedFile,
    to name: [UInt8],
    in maildir: Path
  ) throws(SystemError) {
    guard name != file.name.octets else { return }
    let target = file.subdirectory.path(in: maildir).appending(name)
    try FileSystem.renameWithoutReplacing(file.path(in: maildir), to: target)
  }

  /// Makes the new names durable.
  static func synchronise(_ maildir: Path) throws(SystemError) {
    for subdirectory in [Subdirectory.cur, .new] {
      try FileSystem.synchroniseDirectory(subdirectory.path(in: maildir))
    }
  }
}

/// What an export came to.
package struct ExportCount: Hashable, Sendable {
  /// Messages that both sides have.
  package var messages = 0
  /// Files that were kept when the server lost their messages; the other program uploads them.
  package var detached = 0
}

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
  /// Messages of a mailbox are here without their attachments, which the other program would take for the messages.
  case partial(mailbox: [UInt8], messages: Int)
  /// So many messages of a mailbox lost their file, or files their message, that it may be an accident: the other program
  /// would remove them on the other side without a question.
  case losses(mailbox: [UInt8])
  /// A file has the name of another one of its folder except for what other programs write into names.
  case sameName(Path)
  /// It is not known what divides the levels of names on the server; a sync finds out.
  case unknownDelimiter
  /// Settings of single mailboxes, which the other program cannot have.
  case ownSettings(pattern: [UInt8])
  /// A call of the system failed.
  case system(SystemError)
}
