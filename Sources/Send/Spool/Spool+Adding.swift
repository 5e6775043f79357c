package import Octets
package import Platform
package import SpoolPlan

// How an entry comes into a spool.
extension Spool {
  /// Puts an entry into the queue behind all others, or into another state; durable on return.
  ///
  /// - Parameters:
  ///   - action: what is to be done.
  ///   - message: the message where the action has one; it is read twice, piece by piece.
  ///   - state: where it is put.
  ///   - id: its name, one of `newName(now:)`; `nil` for any.
  ///   - interruption: keeps it from being put there as long as it is being written; `nil` where nothing does.
  ///   - now: the time, in nanoseconds since 1970.
  /// - Returns: the entry.
  /// - Throws: `SpoolError`; then it is not in the queue.
  @discardableResult
  package func enqueue(
    _ action: Action,
    message: (any OctetSource)?,
    in state: EntryState = .queue,
    as id: EntryID? = nil,
    interruption: Interruption? = nil,
    now: Int64 = Clock.nowNanoseconds()
  ) throws(SpoolError) -> Entry {
    let seal = try message.map { (message) throws(SpoolError) in try Self.seal(message) }
    while true {
      let name = if let id { id } else { try newName(now: now) }
      let entry = Entry(
        id: name,
        account: account,
        queued: now / 1_000_000_000,
        action: action,
        seal: seal
      )
      if try write(entry, message, to: state, interruption) { return entry }
      if let id { throw .entryBusy(id) }
    }
  }

  /// A name behind all entries of the queue, which no other is likely to have.
  ///
  /// - Parameter now: the time, in nanoseconds since 1970.
  /// - Returns: the name.
  /// - Throws: `SpoolError` where the queue cannot be read.
  package func newName(now: Int64 = Clock.nowNanoseconds()) throws(SpoolError) -> EntryID {
    let microseconds = max(UInt64(max(0, now / 1000)), try place())
    return EntryID(microseconds: microseconds, random: UInt32.random(in: 0...(.max)))
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

  /// What tells whether a message is still the one that it is now; of the same kind as another seal where one is given.
  package static func seal(
    _ message: any OctetSource,
    like other: MessageSeal? = nil
  ) throws(SpoolError) -> MessageSeal {
    var sealing = Sealing(like: other)
    var pieces = message.pieces
    do throws(SourceError) {
      while let piece = try pieces.next() { sealing.update(piece) }
    } catch {
      throw .message(error)
    }
    return sealing.finish()
  }

  /// Makes the logs of entries where there are none, empty, and their names durable: many cost no more time than one.
  ///
  /// - Parameter ids: the entries; the log of the first one is needed.
  /// - Returns: those that have a log now whose name is sure to last.
  /// - Throws: `SpoolError` where the first one has none.
  package func prepareLogs(of ids: [EntryID]) throws(SpoolError) -> Set<EntryID> {
    var made: Set<EntryID> = []
    for (index, id) in ids.enumerated() {
      let path = logs.appending(id.octets)
      do throws(SpoolError) {
        guard let log = try SpoolFile.open(path, .append) else { continue }
        _ = consume log
        made.insert(id)
      } catch {
        // What is wrong with the others is seen at their turn.
        guard index > 0 else { throw error }
      }
    }
    try Self.system { () throws(SystemError) in try FileSystem.synchroniseDirectory(logs) }
    return made
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
    var sealing = Sealing(like: seal)
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
      sealing.update(piece)
      try file.write(all: piece)
    }
    return sealing.finish() == seal ? nil : SourceError(.changed, path: nil)
  }

  /// Removes an entry that was made just now; `false` where another process works on it, or did, or where it cannot be removed.
  ///
  /// Then it is not lost, whatever the disk reports, and a message that is submitted again would be sent twice.
  private func withdraw(_ id: EntryID, from state: EntryState) -> Bool {
    let isGone = try? EntryLock.acquire(id, in: self, timeout: 0)?.change {
      (_) throws(SpoolError) in
      guard try log(of: id).isEmpty else { return false }
      try Self.system { () throws(SystemError) in
        try FileSystem.remove(directory(state).appending(id.octets))
      }
      return true
    }
    return isGone == true
  }
}
