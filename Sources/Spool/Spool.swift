package import Octets
package import Platform
package import SpoolPlan
internal import Transport

/// What one account still has to do on its servers, as files of one directory.
///
///     .lock   held while entries are worked on        tmp/     entries being written
///     queue/  something is still to be done           hold/    a person stopped it
///     failed/ a person is needed                      log/     a log for each entry, in any state
///     state   why nothing is sent for a while         discarded/ nothing is to be done any more; kept for a day
///
/// An entry is one file that never changes; where it stands is the directory it is in, and every
/// change of that is one rename. What happened to it is in its log. Entries are added by any
/// process at any time; all the rest is done through `LockedSpool`.
package struct Spool: Hashable, Sendable {
  /// The longest entry that is read of a user's own queue, in octets: the user's own memory is at stake.
  package static let ownEntryLimit = 4 << 30

  /// The longest log that is read, in octets.
  static let logLimit = 64 << 20

  /// The directory.
  package let path: Path

  /// The account's name.
  package let account: String

  /// The longest entry that is read, in octets.
  private let entryLimit: Int

  /// The spool of an account below the root of all spools.
  package init(root: Path, account: String, entryLimit: Int = ownEntryLimit) {
    self.account = account
    self.entryLimit = entryLimit
    path = root.appending(account)
  }

  /// The directory of a state.
  package func directory(_ state: EntryState) -> Path {
    path.appending(state.rawValue)
  }

  var temporaries: Path { path.appending("tmp") }
  var logs: Path { path.appending("log") }
  var lockFile: Path { path.appending(".lock") }

  /// The file that says why nothing is sent for a while.
  private var blockFile: Path { path.appending("state") }

  private var runFile: Path { path.appending("ran") }

  /// Notes that the queue was worked on now.
  package func noteRun(now: Int64 = Clock.now()) {
    // What cannot be noted is no reason to send nothing.
    guard let file = try? Descriptor.open(runFile, .truncate) else { return }
    try? file.setTimes(now)
  }

  /// When the queue was last worked on otherwise than for a message that was handed in, in seconds since 1970; `nil` for
  /// never.
  package func lastRun() -> Int64? {
    let status = try? FileSystem.status(runFile, followingLinks: false)
    return status.map { $0.fingerprint.modified / 1_000_000_000 }
  }

  /// Whether the spool is there.
  package func exists() throws(SpoolError) -> Bool {
    try Self.system { () throws(SystemError) in try FileSystem.status(path) != nil }
  }

  /// Makes the directories where they are missing, durably, and checks that they are safe, from the user's state home or
  /// `/var/spool/magnum` down.
  ///
  /// - Throws: `foreignOwner`, `openToOthers`, `notADirectory` where another user could interfere.
  package func prepare(user: UInt32) throws(SpoolError) {
    let check = DirectoryCheck(user: user)
    let root = path.parent
    try check.checkHome(root.parent.parent)
    try make(root.parent)
    try check.checkParent(root.parent)
    // From above, so that nothing is made in a directory that was not looked at.
    for directory in [root, path, temporaries, logs] + EntryState.allCases.map(directory) {
      try make(directory)
      try check.checkOwn(directory)
    }
  }

  /// Checks the root of a user's spools, where it is there: nothing in it is used if another user made it.
  ///
  /// - Throws: `foreignOwner`, `openToOthers`, `notADirectory`.
  package static func check(root: Path, user: UInt32) throws(SpoolError) {
    let check = DirectoryCheck(user: user)
    try check.checkParent(root.parent)
    try check.checkOwn(root)
  }

  private func make(_ directory: Path) throws(SpoolError) {
    try Self.system { () throws(SystemError) in
      guard try FileSystem.status(directory, followingLinks: false) == nil else { return }
      try FileSystem.makeDirectories(directory)
    }
  }

  @discardableResult
  static func system<Value>(
    _ body: () throws(SystemError) -> Value
  ) throws(SpoolError) -> Value {
    do {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}

// Adding.
extension Spool {
  /// Puts an entry into the queue behind all others, or into another state; durable on return.
  ///
  /// - Parameters:
  ///   - action: what is to be done.
  ///   - message: the message where the action has one; it is read twice, piece by piece.
  ///   - state: where it is put.
  ///   - interruption: keeps it from being put there as long as it is being written; `nil` where nothing does.
  ///   - now: the time, in nanoseconds since 1970.
  /// - Returns: the entry.
  /// - Throws: `SpoolError`; then it is not in the queue.
  @discardableResult
  package func enqueue(
    _ action: Action,
    message: (any OctetSource)?,
    in state: EntryState = .queue,
    interruption: Interruption? = nil,
    now: Int64 = Clock.nowNanoseconds()
  ) throws(SpoolError) -> Entry {
    let microseconds = max(UInt64(max(0, now / 1000)), try place())
    let seal = try message.map { (message) throws(SpoolError) in try Self.seal(message) }
    while true {
      let entry = entry(action, seal, microseconds, queued: now / 1_000_000_000)
      if try write(entry, message, to: state, interruption) { return entry }
    }
  }

  /// The first place behind all entries of the queue, whatever the clock says.
  private func place() throws(SpoolError) -> UInt64 {
    var last: [UInt8] = []
    do throws(SystemError) {
      // Names sort by age: only the latest is taken apart, since each message that is handed in looks at all of them.
      try FileSystem.entries(of: directory(.queue)) { name, kind in
        guard kind == .regular, last.lexicographicallyPrecedes(name), EntryID(name) != nil
        else { return }
        last = [UInt8](name)
      }
    } catch {
      guard error.isNotFound else { throw .system(error) }
    }
    return min((EntryID(last)?.microseconds ?? 0) + 1, EntryID.latest)
  }

  /// An entry with a name that no other is likely to have.
  private func entry(
    _ action: Action,
    _ seal: MessageSeal?,
    _ microseconds: UInt64,
    queued: Int64
  ) -> Entry {
    Entry(
      id: EntryID(microseconds: microseconds, random: UInt32.random(in: 0...(.max))),
      account: account,
      queued: queued,
      action: action,
      seal: seal
    )
  }

  /// What tells whether a message is still the one that it is now.
  package static func seal(_ message: any OctetSource) throws(SpoolError) -> MessageSeal {
    var hash = SHA256()
    var pieces = message.pieces
    do throws(SourceError) {
      while let piece = try pieces.next() { hash.update(piece) }
    } catch {
      throw .message(error)
    }
    return MessageSeal(size: UInt64(message.count), digest: hash.finish())
  }

  /// The file in tmp/ of an entry that comes of another one; what writers without the lock leave there is called otherwise.
  func successor(_ id: EntryID) -> Path {
    temporaries.appending(id.octets + Self.successorEnding)
  }

  /// The entry of which that is the name of the file in tmp/; `nil` where it is none that comes of another one.
  func successor(named name: [UInt8]) -> EntryID? {
    guard name.suffix(Self.successorEnding.count).elementsEqual(Self.successorEnding) else {
      return nil
    }
    return EntryID(name.dropLast(Self.successorEnding.count))
  }

  private static let successorEnding = [UInt8](".next".utf8)

  /// Writes an entry that comes of another one into tmp/, where it is none yet; durably, with its name.
  ///
  /// - Throws: `message` where the message is not the one that the entry's seal is for.
  func prepare(_ entry: Entry, _ message: (any OctetSource)?) throws(SpoolError) {
    let temporary = successor(entry.id)
    do throws(SpoolError) {
      let problem = try Self.system { () throws(SystemError) in
        try writeFile(temporary, entry, message, nil)
      }
      if let problem { throw .message(problem) }
      try Self.system { () throws(SystemError) in
        try FileSystem.synchroniseDirectory(temporaries)
      }
    } catch {
      try? FileSystem.remove(temporary)
      throw error
    }
  }

  /// Writes an entry, durably; `false` when its name is taken.
  ///
  /// - Throws: `message` where the message is not the one that the entry's seal is for.
  func write(
    _ entry: Entry,
    _ message: (any OctetSource)?,
    to state: EntryState,
    _ interruption: Interruption? = nil
  ) throws(SpoolError) -> Bool {
    let temporary = temporaries.appending(entry.id.octets)
    let target = directory(state).appending(entry.id.octets)
    do throws(SpoolError) {
      let problem = try Self.system { () throws(SystemError) in
        try writeFile(temporary, entry, message, interruption)
      }
      if let problem { throw .message(problem) }
      try Self.system { () throws(SystemError) in
        try FileSystem.renameWithoutReplacing(temporary, to: target)
      }
    } catch {
      guard case .system(let failure) = error, failure.isAlreadyThere else {
        try? FileSystem.remove(temporary)
        throw error
      }
      if failure.operation != "open" { try? FileSystem.remove(temporary) }
      return false
    }
    do throws(SystemError) {
      try FileSystem.synchroniseDirectory(directory(state))
    } catch {
      // An entry whose name may not last must not be there when the caller is told that it failed.
      if withdraw(entry.id, from: state) { throw .system(error) }
    }
    return true
  }

  /// Writes an entry into a new file, piece by piece, and makes its content durable.
  ///
  /// - Returns: what is wrong with the message; nil when nothing is.
  private func writeFile(
    _ path: Path,
    _ entry: Entry,
    _ message: (any OctetSource)?,
    _ interruption: Interruption?
  ) throws(SystemError) -> SourceError? {
    let file = try Descriptor.open(path, .createExclusive(0o600))
    try file.write(all: entry.header)
    let check = { () throws(SystemError) -> Void in try interruption?.check("write", path) }
    if let message, let problem = try Self.copy(message, entry.seal, to: file, check) {
      return problem
    }
    try file.synchronise()
    try file.close()
    return nil
  }

  private static func copy(
    _ message: any OctetSource,
    _ seal: MessageSeal?,
    to file: borrowing Descriptor,
    _ check: () throws(SystemError) -> Void
  ) throws(SystemError) -> SourceError? {
    var hash = SHA256()
    var pieces = message.pieces
    while true {
      try check()
      let next: ArraySlice<UInt8>?
      do throws(SourceError) {
        next = try pieces.next()
      } catch {
        return error
      }
      guard let piece = next else { break }
      hash.update(piece)
      try file.write(all: piece)
    }
    return hash.finish() == seal?.digest ? nil : SourceError(.changed, path: nil)
  }

  /// Takes an entry back that was made just now; `false` where another process works on it, or has: then it is not lost,
  /// whatever the disk says, and who hands it in again would have it sent twice.
  private func withdraw(_ id: EntryID, from state: EntryState) -> Bool {
    let lock = try? FileLock.acquire(lockFile)
    if case .heldByOther? = lock { return false }
    defer { withExtendedLifetime(lock) {} }
    guard (try? log(of: id))?.isEmpty == true else { return false }
    do throws(SystemError) {
      try FileSystem.remove(directory(state).appending(id.octets))
    } catch {
      return !error.isNotFound
    }
    return true
  }
}

// Looking.
extension Spool {
  /// The entries of a state, oldest first; whatever else lies there is not one.
  package func entries(_ state: EntryState) throws(SpoolError) -> [EntryID] {
    var found: [EntryID] = []
    do throws(SystemError) {
      try FileSystem.entries(of: directory(state)) { name, kind in
        if kind == .regular, let id = EntryID(name) { found.append(id) }
      }
    } catch {
      guard error.isNotFound else { throw .system(error) }
    }
    return found.sorted()
  }

  /// Whether the queue holds an entry, or a process that was killed left one in tmp/ that may have to come there.
  package func hasWork() throws(SpoolError) -> Bool {
    guard try entries(.queue).isEmpty else { return true }
    var isLeft = false
    do throws(SystemError) {
      try FileSystem.entries(of: temporaries) { name, _ in
        if successor(named: [UInt8](name)) != nil { isLeft = true }
      }
    } catch {
      guard error.isNotFound else { throw .system(error) }
    }
    return isLeft
  }

  /// Whether an entry is in a state; however many others are.
  package func contains(_ id: EntryID, in state: EntryState) throws(SpoolError) -> Bool {
    let file = directory(state).appending(id.octets)
    return try Self.system { () throws(SystemError) in
      try FileSystem.status(file, followingLinks: false)?.kind == .regular
    }
  }

  /// An entry with its message, which is looked at once and stays in its file.
  ///
  /// - Returns: `nil` when there is none of that name in that state.
  /// - Throws: `entry` when it is damaged, or a later version wrote it.
  package func load(_ id: EntryID, in state: EntryState) throws(SpoolError) -> StoredEntry? {
    let path = directory(state).appending(id.octets)
    guard let file = try SpoolFile.open(path, .read, limit: entryLimit) else { return nil }
    let start = try SpoolFile.header(of: file)
    let (entry, length) = try decode(start, id)
    guard let seal = entry.seal else { return StoredEntry(entry: entry, message: nil) }
    var message: any OctetSource = Array(start[length...])
    if message.count < seal.size {
      do throws(SystemError) {
        message = try FileOctets(file, from: Int64(length))
      } catch {
        throw .system(error)
      }
    }
    guard try Self.seal(message) == seal else { throw .entry(id, .messageDiffers) }
    return StoredEntry(entry: entry, message: message)
  }

  private func decode(_ start: [UInt8], _ id: EntryID) throws(SpoolError) -> (Entry, length: Int) {
    do throws(EntryError) {
      let (entry, length) = try Entry.decode(start)
      guard entry.id == id else { throw .messageDiffers }
      return (entry, length)
    } catch {
      throw .entry(id, error)
    }
  }

  /// What an entry's header says; the message is not looked at.
  ///
  /// - Returns: `nil` when there is none of that name in that state.
  package func header(of id: EntryID, in state: EntryState) throws(SpoolError) -> Entry? {
    try beginning(of: id, in: state)?.entry
  }

  /// What an entry's header says, and the first octets of its message, which is not checked.
  ///
  /// - Returns: `nil` when there is none of that name in that state.
  package func beginning(
    of id: EntryID,
    in state: EntryState
  ) throws(SpoolError) -> (entry: Entry, message: ArraySlice<UInt8>)? {
    guard let octets = try start(of: id, in: state) else { return nil }
    do throws(EntryError) {
      let (entry, start) = try Entry.decode(octets)
      return (entry, octets[start...])
    } catch {
      // A header longer than what was read, with very many recipients.
      guard let stored = try load(id, in: state) else { return nil }
      return (stored.entry, try stored.beginning)
    }
  }

  /// Whether an entry claims to carry a message, whatever is wrong with it.
  package func hasMessage(_ id: EntryID, in state: EntryState) throws(SpoolError) -> Bool {
    try start(of: id, in: state).map { Entry.claimsMessage($0) } ?? false
  }

  private func start(of id: EntryID, in state: EntryState) throws(SpoolError) -> [UInt8]? {
    try SpoolFile.start(of: directory(state).appending(id.octets), length: 1 << 16)
  }

  /// The log of an entry; empty when nothing happened yet.
  package func log(of id: EntryID) throws(SpoolError) -> [LogRecord] {
    let octets = try SpoolFile.read(logs.appending(id.octets), limit: Self.logLimit)
    do throws(LogError) {
      return try LogRecord.parse(octets ?? [])
    } catch {
      throw .log(id, error)
    }
  }

  /// When an entry was discarded, and where it stood then.
  ///
  /// Where the log does not tell, its file does, and a person decides what becomes of it.
  func discarded(_ id: EntryID) throws(SpoolError) -> (time: Int64, state: EntryState) {
    for record in ((try? log(of: id)) ?? []).reversed() {
      if case .discarded(let state) = record.fact { return (record.time, state) }
    }
    let file = directory(.discarded).appending(id.octets)
    let status = try Self.system { () throws(SystemError) in
      try FileSystem.status(file, followingLinks: false)
    }
    guard let status else { throw .noEntry(id) }
    return (status.fingerprint.changed / 1_000_000_000, .hold)
  }
}

// The account.
extension Spool {
  /// Why nothing is sent for a while; `nil` when nothing is in the way, or it cannot be read.
  package func block() throws(SpoolError) -> SendingBlock? {
    do throws(SpoolError) {
      return try SpoolFile.read(blockFile, limit: 1 << 16).flatMap { SendingBlock($0) }
    } catch {
      guard error.isOfOneFile else { throw error }
      return nil
    }
  }

  /// Notes why nothing is sent for a while, or with `nil` that nothing is in the way.
  ///
  /// Only under the lock of the spool.
  package func note(_ block: SendingBlock?) throws(SpoolError) {
    try Self.system { () throws(SystemError) in
      if let block { return try AtomicFile.replace(blockFile, with: block.octets) }
      guard try FileSystem.status(blockFile, followingLinks: false) != nil else { return }
      try FileSystem.remove(blockFile)
    }
  }
}
