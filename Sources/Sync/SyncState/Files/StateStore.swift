internal import Maildir
package import MailModel
internal import Octets
package import Platform

/// The files of one account's state, below the account's root.
package struct StateStore: Sendable {
  /// What is on disk about one mailbox.
  package enum Stored {
    /// Nothing: it was never mirrored.
    case absent
    case present(Journal)
    /// Something that cannot be trusted.
    case untrusted(Path, StateError)
    /// What a newer version wrote: it is left as it is.
    case newer(Path)
  }

  /// The largest state file that is read, in octets.
  package static let sizeLimit = 4 << 30

  /// The directory that holds the state; hidden where the layout allows it.
  package let directory: Path

  /// The state of the account whose Maildirs lie below `root`.
  package init(root: Path, layout: FolderLayout) {
    directory = StateDirectory.path(root: root, layout: layout)
  }

  /// The file whose lock a run holds.
  package var lock: Path { directory.appending("lock") }
  /// The file that names the root.
  package var rootIdentity: Path { directory.appending("root") }
  /// The file of the summary.
  package var summary: Path { directory.appending("summary") }
  /// The directory of the maps and logs.
  package var mailboxes: Path { directory.appending("mailboxes") }

  /// The summary of the last run; nil when there is none or it is damaged, or of another version.
  package func loadSummary() throws(SystemError) -> Summary? {
    guard let octets = try FileSystem.readFile(summary, limit: Self.sizeLimit) else { return nil }
    return try? SummaryFile.decode(octets)
  }

  /// Replaces the summary; durable when it returns.
  package func save(_ summary: Summary) throws(SystemError) {
    try AtomicFile.replace(self.summary, with: SummaryFile.encode(summary))
  }

  /// What is recorded of a mailbox, its log replayed and a torn end cut off from memory, not from disk.
  package func open(_ id: UInt64) throws(SystemError) -> Stored {
    let map = file(id, "map")
    let log = file(id, "log")
    let reader = try readMap(map)
    let logOctets = try FileSystem.readFile(log, limit: Self.sizeLimit)
    guard var reader else {
      return logOctets == nil ? .absent : .untrusted(log, StateError(problem: .mapMissing))
    }
    let state: MailboxState
    do {
      state = try reader.finish()
    } catch {
      return Self.refused(map, error)
    }
    guard state.header.id == id else {
      return .untrusted(map, StateError(problem: .otherMailbox))
    }
    do {
      return .present(try Journal(state, store: self, log: logOctets))
    } catch {
      return Self.refused(log, error)
    }
  }

  private static func refused(_ file: Path, _ error: StateError) -> Stored {
    error.problem == .newerVersion ? .newer(file) : .untrusted(file, error)
  }

  /// Forgets a mailbox; the removal is durable when it returns.
  ///
  /// The map goes before its log: a log alone is not trusted, but a map is, though it lacks what only the log said.
  package func remove(_ id: UInt64) throws(SystemError) {
    for ending in ["map", "log"] where try FileSystem.status(file(id, ending)) != nil {
      try FileSystem.remove(file(id, ending))
      try FileSystem.synchroniseDirectory(mailboxes)
    }
  }

  /// The headers of all maps, for when the summary is lost; unreadable maps are left out.
  package func headers() throws(SystemError) -> [MailboxHeader] {
    guard try FileSystem.status(mailboxes) != nil else { return [] }
    var names: [[UInt8]] = []
    _ = try FileSystem.entries(of: mailboxes) { name, _ in names.append(Array(name)) }
    var headers: [MailboxHeader] = []
    for name in names where name.suffix(4).elementsEqual(".map".utf8) {
      if let header = try header(in: mailboxes.appending(name)) { headers.append(header) }
    }
    return headers
  }

  /// The header of a map; nil where it cannot be used.
  func header(in map: Path) throws(SystemError) -> MailboxHeader? {
    guard var reader = try readMap(map, isHeaderOnly: true) else { return nil }
    return try? reader.finish().header
  }

  /// A reader that has all of a map; nil where there is none.
  private func readMap(
    _ map: Path,
    isHeaderOnly: Bool = false
  ) throws(SystemError) -> MapReader? {
    guard let file = try FileSystem.openIfPresent(map) else { return nil }
    let size = Int(try file.status().size)
    var reader = MapReader(octetCount: size, isHeaderOnly: isHeaderOnly)
    try file.readPieces { reader.readOctets($0) }
    return reader
  }

  /// The file of a mailbox with that ending: map, log.
  package func file(_ id: UInt64, _ ending: String) -> Path {
    mailboxes.appending(Hex.digits(id) + [ASCII.dot] + Array(ending.utf8))
  }
}

extension StateStore {
  /// The ids of all mailboxes that have a map, whether it can be read or not.
  package func recorded() throws(SystemError) -> Set<UInt64> {
    guard try FileSystem.status(mailboxes) != nil else { return [] }
    var ids: Set<UInt64> = []
    _ = try FileSystem.entries(of: mailboxes) { name, _ in
      guard name.count == 20, name.suffix(4).elementsEqual(".map".utf8),
        let id = Hex.value([UInt8](name.prefix(16)))
      else { return }
      ids.insert(id)
    }
    return ids
  }

  /// The header of a mailbox's map; nil where it cannot be read.
  package func header(of id: UInt64) throws(SystemError) -> MailboxHeader? {
    guard let header = try header(in: file(id, "map")), header.id == id else { return nil }
    return header
  }
}

// What the summary says, together with the maps it stands for.
extension StateStore {
  /// Hours for which deletions count towards the limit of what a run may delete.
  private static let deletionHours: Int64 = 24

  /// The last run's summary, or one made of the maps' headers where it is lost or of another root.
  ///
  /// - Parameters:
  ///   - stored: what was read of it; nil where there is none.
  ///   - root: the number of the account's root.
  ///   - now: seconds since 1970; deletions that are a day old are left out.
  /// - Returns: a summary in which every mailbox with a map has an entry.
  /// - Throws: the error of reading the maps.
  package func usable(
    _ stored: Summary?,
    root: UInt64,
    now: Int64
  ) throws(SystemError) -> Summary {
    guard var summary = stored, summary.root == root else {
      return try complete(Summary(root: root))
    }
    let yesterday = now / 3600 - Self.deletionHours
    summary.deletions = summary.deletions.filter { $0.key > yesterday }
    return try complete(summary)
  }

  /// The summary with the mailboxes whose maps it lacks: those of a run that was killed before it wrote its summary.
  ///
  /// What it says of mailboxes whose maps are lost does not count: they are matched anew now, not when something
  /// happened there that could then no longer be recognised.
  package func complete(_ stored: Summary) throws(SystemError) -> Summary {
    var summary = stored
    let recorded = try recorded()
    for (name, entry) in stored.entries where !recorded.contains(entry.header.id) {
      summary.entries[name]?.unfinishedRuns = max(1, entry.unfinishedRuns)
    }
    let missing = recorded.subtracting(stored.entries.values.map(\.header.id))
    for id in missing.sorted() {
      guard let header = try header(of: id) else { continue }
      // Of two maps for one name the summary knows the right one.
      if let other = summary.entries[header.mailbox], recorded.contains(other.header.id) {
        continue
      }
      summary.entries[header.mailbox] = Summary.Entry(
        header: header,
        messages: 0,
        isComplete: false,
        fingerprints: nil
      )
    }
    return summary
  }

  /// What is recorded of a mailbox; nil where nothing is, or it cannot be used.
  package func state(of id: UInt64) throws(SystemError) -> MailboxState? {
    guard case .present(let journal) = try open(id) else { return nil }
    return journal.state
  }
}
