internal import Octets
package import Platform

/// Keeps one mailbox's state in memory and on disk at once: a fact that was recorded is found after a crash.
///
/// Records go to the log; the map is written anew when the log has grown. Used by one thread at a time.
package final class Journal {
  /// The log is folded into the map beyond this size in octets, or about a quarter of the map's.
  private static let logLimit = 1 << 20

  /// Everything that is recorded by now.
  package private(set) var state: MailboxState
  /// Another number after each change of which message has which name.
  package private(set) var nameRevision = 0
  private let store: StateStore
  private var logLength: Int
  private var logOnDisk: Int
  private var isMapOnDisk: Bool
  /// What is to be recorded with the next fact about when all files were in place; nil for nothing.
  private var whole: Int64?
  /// Whether a state that was trusted is on disk until there is a map of this one.
  private let isReplacing: Bool

  /// The journal of a mailbox that was never mirrored; nothing is on disk before `begin()`.
  package init(new header: MailboxHeader, store: StateStore) {
    state = MailboxState(header)
    self.store = store
    logLength = 0
    logOnDisk = 0
    isMapOnDisk = false
    isReplacing = false
  }

  /// The journal of a mailbox that starts over; the old state stays on disk before `begin()`.
  package init(new header: MailboxHeader, replacing old: Journal) {
    var header = header
    header.generation = old.state.header.generation + 1
    state = MailboxState(header)
    store = old.store
    logLength = 0
    logOnDisk = old.logOnDisk
    isMapOnDisk = false
    isReplacing = true
  }

  /// The journal of a mailbox whose map and log were read.
  ///
  /// - Throws: `StateError` when the log is damaged or belongs to another map.
  package init(_ state: MailboxState, store: StateStore, log: [UInt8]?) throws(StateError) {
    self.state = state
    self.store = store
    isMapOnDisk = true
    isReplacing = false
    logLength = 0
    logOnDisk = log?.count ?? 0
    guard let log else { return }
    let contents = try LogFile.decode(log)
    guard let generation = contents.generation else { return }
    // A crash between writing a map and removing the log that is folded into it leaves the old log.
    if generation + 1 == state.header.generation { return }
    guard generation == state.header.generation else {
      throw StateError(
        problem: .generations(map: state.header.generation, log: generation)
      )
    }
    for record in contents.records { self.state.apply(record) }
    logLength = contents.validLength
  }

  /// Gives a mailbox that starts over its first records, all at once with its first map.
  ///
  /// On disk only after `begin()`: a crash leaves either the old state or all of the new one.
  package func adopt(_ records: [StateRecord]) {
    precondition(!isMapOnDisk, "records of a mailbox that was begun belong into the log")
    apply(records)
  }

  /// Has the next fact say that all files of messages on record were in place when new/ or cur/ was last changed at that
  /// moment, in nanoseconds since 1970; where no fact comes, that stays unsaid.
  package func noteWhole(changed: Int64) { whole = changed == state.wholeAt ? nil : changed }

  /// Makes room in memory for so many messages more.
  package func expect(messages: Int) { state.reserve(more: messages) }

  private func apply(_ records: [StateRecord]) {
    for record in records {
      state.apply(record)
      if record.mayChangeNames { nameRevision += 1 }
    }
  }

  /// Writes the first map of a mailbox beside its place; nil where there is a map.
  ///
  /// The log of a state that starts over goes after the map: without the new map the old one needs it, and beside the new one
  /// it is of an older generation. What is left of a state that could not be trusted goes first, so that none of it can ever
  /// be taken for a part of this one.
  package func draftFirstMap() throws(SystemError) -> AtomicFile.Draft? {
    guard !isMapOnDisk else { return nil }
    if !isReplacing {
      try store.remove(state.header.id)
      logOnDisk = 0
    }
    return try AtomicFile.draft(map, withPieces: MapPieces(state, now: Clock.now()))
  }

  /// The first map stands in its place, durably; nothing was recorded since it was written.
  package func beginWithPlacedMap() throws(SystemError) { try adoptMap(of: state) }

  /// Writes the first map of a mailbox; durable when it returns.
  package func begin() throws(SystemError) {
    guard let draft = try draftFirstMap() else { return }
    do throws(SystemError) {
      try Unflushed(file: draft.temporary).flush()
      try draft.place()
    } catch {
      draft.discard()
      throw error
    }
    try Unflushed(directory: store.mailboxes).flush()
    try beginWithPlacedMap()
  }

  /// Records facts: they are durable when it returns.
  package func record(_ records: [StateRecord]) throws(SystemError) {
    if let error = Self.record([(self, records)])[0] { throw error }
  }

  /// Records facts of several mailboxes, each of which is named once, and makes them durable together.
  ///
  /// Gives for each what failed; nil where its facts are durable.
  package static func record(
    _ changes: [(journal: Journal, records: [StateRecord])]
  ) -> [SystemError?] {
    var errors: [SystemError?] = changes.map { _ in nil }
    var unflushed = changes.map { _ in Unflushed() }
    var appended: [Int: Appended] = [:]
    for (index, change) in changes.enumerated() where !change.records.isEmpty {
      do throws(SystemError) {
        let addition = try change.journal.append(change.records)
        (appended[index], unflushed[index]) = (addition, addition.unflushed)
      } catch {
        errors[index] = error
      }
    }
    for (index, error) in Unflushed.flush(unflushed).enumerated() {
      guard let addition = appended[index] else { continue }
      changes[index].journal.finishAppend(addition, error)
      errors[index] = error
    }
    return errors
  }

  /// Records that are in the log, and not durable.
  private struct Appended {
    let records: [StateRecord]
    let octetCount: Int
    let unflushed: Unflushed
  }

  private func append(_ records: [StateRecord]) throws(SystemError) -> Appended {
    let records = (whole.map { [.whole(changed: $0)] } ?? []) + records
    try begin()
    // The version of the files goes up with the first partial message.
    if records.contains(where: \.isOfPartial), !state.holdsPartials, logLength > 0 {
      try writeMap()
    }
    var octets: [UInt8] = []
    var unflushed = Unflushed()
    unflushed.add(data: log)
    if logLength == 0 {
      octets += LogFile.encodeTitle(
        generation: state.header.generation,
        holdsPartials: state.holdsPartials || records.contains(where: \.isOfPartial)
      )
      unflushed.add(directory: store.mailboxes)
    } else {
      octets += LogFile.encode(.durable)
    }
    for record in records { octets += LogFile.encode(record) }
    try write(octets)
    return Appended(records: records, octetCount: octets.count, unflushed: unflushed)
  }

  private func write(_ octets: [UInt8]) throws(SystemError) {
    let file = try Descriptor.open(log, .append)
    if logOnDisk > logLength { try file.truncate(to: Int64(logLength)) }
    do {
      try file.write(all: octets)
    } catch {
      cutLater()
      throw error
    }
  }

  /// `error` is why they are not durable.
  private func finishAppend(_ addition: Appended, _ error: SystemError?) {
    guard error == nil else { return cutLater() }
    logLength += addition.octetCount
    logOnDisk = logLength
    apply(addition.records)
    whole = nil
  }

  /// What was written, in part or whole, is cut off by the next append, which may begin with a first line once more.
  ///
  /// Before that a run reads what is whole: then something counts as begun that was not.
  private func cutLater() { logOnDisk = Int.max }

  private var map: Path { store.file(state.header.id, "map") }
  private var log: Path { store.file(state.header.id, "log") }

  /// Records that mailbox and directory have other names now; durable when it returns.
  package func rename(mailbox: [UInt8], directory: [UInt8]) throws(SystemError) {
    state.header.mailbox = mailbox
    state.header.directory = directory
    try writeMap()
  }

  /// Folds a log that has grown long into the map.
  package func checkpoint() throws(SystemError) {
    guard logLength > max(Self.logLimit, 40 * state.messages.count) else { return }
    try writeMap()
  }

  private func writeMap() throws(SystemError) {
    var next = state
    if isMapOnDisk { next.header.generation += 1 }
    try AtomicFile.replace(map, withPieces: MapPieces(next, now: Clock.now()))
    try adoptMap(of: next)
  }

  /// The map of that state is on disk.
  private func adoptMap(of next: MailboxState) throws(SystemError) {
    state = next
    isMapOnDisk = true
    // Also where the old log stays: what is appended to that would be ignored with it.
    logLength = 0
    if logOnDisk > 0 { try FileSystem.remove(log) }
    logOnDisk = 0
  }
}

/// The map of a mailbox as it is written, piece by piece.
struct MapPieces: Sequence, IteratorProtocol {
  /// Octets of a piece, and a line more.
  private static let pieceSize = 1 << 16

  private var records: MapRecords
  private var checksum = CRC32C()
  /// The lines above the records; empty once they were given.
  private var head: [UInt8]
  private var isSealed = false

  /// The map of that state, without what has expired at that time (seconds since 1970).
  init(_ state: MailboxState, now: Int64) {
    head =
      MapFile.title.octets(isNewest: state.holdsPartials) + [ASCII.lineFeed]
      + MapFile.encode(state.header)
    records = MapRecords(state, now: now)
  }

  /// The next piece; nil after the last.
  mutating func next() -> [UInt8]? {
    guard !isSealed else { return nil }
    var piece = head
    head = []
    while piece.count < Self.pieceSize, let record = records.next() {
      piece += RecordCodec.encode(record)
      piece.append(ASCII.lineFeed)
    }
    checksum.update(piece)
    if piece.count < Self.pieceSize {
      piece += TextFile.seal(checksum)
      isSealed = true
    }
    return piece
  }
}
