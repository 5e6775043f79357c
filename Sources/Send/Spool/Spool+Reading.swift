internal import Octets
internal import Platform
package import SpoolPlan

// What lies in a spool.
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

  /// Where an entry stands; `nil` where it is in no state, or on its way from one to another.
  func state(of id: EntryID) throws(SpoolError) -> EntryState? {
    for state in EntryState.allCases where try contains(id, in: state) { return state }
    return nil
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
  /// - Parameters:
  ///   - id: the entry.
  ///   - state: where it stands.
  ///   - limit: the longest one to be read, in octets; `nil` for that of the spool.
  /// - Returns: `nil` when there is none of that name in that state.
  /// - Throws: `entry` when it is damaged, or a later version wrote it; `tooLong`.
  package func load(
    _ id: EntryID,
    in state: EntryState,
    limit: Int? = nil
  ) throws(SpoolError) -> StoredEntry? {
    let path = directory(state).appending(id.octets)
    let limit = min(limit ?? entryLimit, entryLimit)
    guard let file = try SpoolFile.open(path, .read, limit: limit) else { return nil }
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
    guard try Self.seal(message, like: seal) == seal else { throw .entry(id, .messageDiffers) }
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
