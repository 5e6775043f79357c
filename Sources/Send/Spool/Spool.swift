package import Platform
package import SpoolPlan
internal import Transport

/// What one account still has to do on its servers, as files of one directory.
///
///     .lock   held for moments, while entries move    tmp/     entries being written
///     .run    held by who goes through the queue
///     queue/  something is still to be done           hold/    a person stopped it
///     failed/ a person is needed                      log/     a log for each entry, in any state
///     state   why nothing is sent for a while         discarded/ no longer wanted; kept for a day
///
/// An entry is one file that never changes; where it stands is the directory it is in, and every
/// change of that is one rename. What happened to it is in its log. Entries are added by any
/// process at any time; all the rest is done through `EntryLock` and, for moments, `LockedSpool`.
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
  let entryLimit: Int

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

  /// The lock of who goes through the queue; see `QueueTurn`.
  var runLockFile: Path { path.appending(".run") }

  /// The file that says why nothing is sent for a while.
  private var blockFile: Path { path.appending("state") }

  private var runFile: Path { path.appending("ran") }

  /// Notes that the queue was worked on now.
  package func noteRun(now: Int64 = Clock.now()) {
    // What cannot be noted is no reason to send nothing.
    guard let file = try? Descriptor.open(runFile, .truncate.guarded) else { return }
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

  /// Records why nothing is sent for a while, or with `nil` that nothing is in the way.
  ///
  /// Only by who goes through the queue.
  package func recordBlock(_ block: SendingBlock?) throws(SpoolError) {
    try Self.system { () throws(SystemError) in
      if let block { return try AtomicFile.replace(blockFile, with: block.octets) }
      guard try FileSystem.status(blockFile, followingLinks: false) != nil else { return }
      try FileSystem.remove(blockFile)
    }
  }
}

/// What directories have to be like before anything in them is used.
struct DirectoryCheck {
  /// The user whose spool it is.
  let user: UInt32

  /// Checks a directory of the spool: only its user can write to it.
  func checkOwn(_ directory: Path) throws(SpoolError) {
    let status = try status(directory)
    guard status.owner == user else { throw .foreignOwner(directory, user: status.owner) }
    guard status.mode & 0o022 == 0 else { throw .openToOthers(directory, mode: status.mode) }
  }

  /// Checks the directory that the spool's root lies in: only its user and root can put something else in its place.
  ///
  /// In `/var/spool/magnum` all users may make directories, and none can take away another's.
  func checkParent(_ directory: Path) throws(SpoolError) {
    let status = try status(directory)
    guard status.owner == user || status.owner == 0 else {
      throw .foreignOwner(directory, user: status.owner)
    }
    guard !status.isOpenToOthers else { throw .openToOthers(directory, mode: status.mode) }
  }

  /// Checks the user's state home, which may have any mode but one that lets all users write into it.
  func checkHome(_ directory: Path) throws(SpoolError) {
    let status = try Spool.system { () throws(SystemError) in try FileSystem.status(directory) }
    guard let status, status.isOpenToOthers, status.mode & 0o002 != 0 else { return }
    throw .openToOthers(directory, mode: status.mode)
  }

  /// A link is none of the spool's directories, wherever it leads.
  private func status(_ directory: Path) throws(SpoolError) -> FileStatus {
    let status = try Spool.system { () throws(SystemError) in
      try FileSystem.status(directory, followingLinks: false)
    }
    guard let status, status.kind == .directory else { throw .notADirectory(directory) }
    return status
  }
}
