internal import Maildir
internal import Octets
internal import Platform

/// The mail that changes bring, read before it is needed.
struct Readings {
  private let root: Path
  private var contents: [Place: (content: MessageContent, mark: FileMark)] = [:]
  private var retries: [Place] = []
  private var reader: MessageReader

  /// Files that could not be read, and why.
  private(set) var failed: [Place: SystemError] = [:]

  /// Why they could not be read, in the order of their names.
  var failures: [SystemError] {
    let names = failed.keys.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    return names.compactMap { failed[$0] }
  }

  /// Files that could not be read before, and are left to the next readings, since there is enough in memory.
  private(set) var postponed: Set<Place> = []

  /// How many of the changes may be taken: those behind are left to the next readings.
  private(set) var covered = 0

  /// How many messages were read.
  var count: Int { contents.count }

  /// About how many postings the contents make.
  private var cost = 0

  /// How many postings are held in memory before they are written.
  private static let costLimit = 60_000

  /// How many files were opened.
  private(set) var opened = 0

  /// A file by the path of its folder.
  struct Place: Hashable {
    let folder: [UInt8]
    let file: ScannedFile

    fileprivate var name: [UInt8] { folder + [ASCII.slash] + file.name.octets }
  }

  /// Reads what is new to an index: files that were added, those that were renamed under a name it does not know, and
  /// those that could not be read before.
  init(
    _ root: Path,
    _ changes: ArraySlice<MaildirChange>,
    _ database: XapianDatabase
  ) throws(IndexError) {
    self.root = root
    reader = MessageReader(root)
    let folders = FolderTable(try database.metadata(Schema.Key.folders))
    // Names that are free by the time another file is said to have them.
    var removed: Set<Place> = []
    // Files that will have another name by the time they are looked at in vain.
    for change in changes {
      guard cost < Self.costLimit else { break }
      covered += 1
      switch change {
      case .removed(let folder, let file): removed.insert(Place(folder: folder, file: file))
      case .added(let folder, let file):
        let place = Place(folder: folder, file: file)
        // Said again, it is not read again.
        guard contents[place] == nil, failed[place] == nil else { continue }
        let isKnown = try removed.contains(place) ? false : Self.knows(place, folders, database)
        if !isKnown { read(place) }
      case .renamed, .marked: continue
      }
    }
    for place in Self.places(try database.metadata(Schema.Key.unread)) {
      guard cost < Self.costLimit else {
        postponed.insert(place)
        continue
      }
      // One that has another name by now comes with the changes.
      guard isThere(place) else { continue }
      retries.append(place)
      if contents[place] == nil, failed[place] == nil { read(place) }
    }
  }

  /// Whether a file has this very name; one of which that cannot be told may have it.
  private func isThere(_ place: Place) -> Bool {
    let path = place.file.path(in: root.appending(place.folder))
    do throws(SystemError) { return try FileSystem.status(path) != nil } catch { return true }
  }

  /// Applies a change in a transaction.
  mutating func applyChange(
    _ change: MaildirChange,
    into transaction: IndexTransaction
  ) throws(IndexError) {
    Heartbeat.give()
    switch change {
    case .added(let folder, let file): try add(Place(folder: folder, file: file), transaction)
    case .removed(let folder, let file):
      failed[Place(folder: folder, file: file)] = nil
      guard let number = transaction.folders.known(folder) else { return }
      try transaction.remove(StoredFile(folder: number, file))
    case .renamed(let folder, let file, let toFolder, let new):
      let old = StoredFile(folder: transaction.folders.number(of: folder), file)
      let renamed = StoredFile(folder: transaction.folders.number(of: toFolder), new)
      failed[Place(folder: folder, file: file)] = nil
      if try transaction.rename(old, to: renamed) { return }
      if let former = try formerName(of: file.name.base, in: folder, old.folder, transaction),
        try transaction.rename(former, to: renamed)
      {
        return
      }
      // Never heard of: as good as new.
      try add(Place(folder: toFolder, file: new), transaction)
    case .marked(let folder, let base):
      guard let number = transaction.folders.known(folder) else { return }
      try transaction.mark(base, in: number)
    }
  }

  /// The name under which the index has a file that another program renamed before it got its newest one; nil where it has none.
  private func formerName(
    of base: [UInt8],
    in folder: [UInt8],
    _ number: Int,
    _ transaction: IndexTransaction
  ) throws(IndexError) -> StoredFile? {
    try transaction.names(of: base, in: number).first {
      !isThere(Place(folder: folder, file: $0.scanned))
    }
  }

  /// Takes in what could not be read before, and now can.
  mutating func takeRetries(into transaction: IndexTransaction) throws(IndexError) {
    for place in retries { try add(place, transaction) }
  }

  /// What to try again next time.
  var failedOctets: [UInt8] { Self.octets(Array(postponed.union(failed.keys))) }

  /// The files that could not be read, as they are kept.
  static func octets(_ files: [StoredFile], _ folders: FolderTable) -> [UInt8] {
    octets(files.map { Place(folder: folders.name($0.folder), file: $0.scanned) })
  }

  private static func octets(_ places: [Place]) -> [UInt8] {
    var writer = OctetWriter()
    for place in places {
      writer.add(place.folder)
      writer.add(place.file.subdirectory == .new ? 1 : 0)
      writer.add(place.file.name.octets)
    }
    return writer.octets
  }

  private static func places(_ octets: [UInt8]) -> [Place] {
    var reader = OctetReader(octets)
    var places: [Place] = []
    while !reader.isAtEnd, !reader.isCut {
      let folder = reader.text()
      let subdirectory: Subdirectory = reader.number() == 1 ? .new : .cur
      let file = ScannedFile(name: FileName(reader.text()), subdirectory: subdirectory)
      if !reader.isCut { places.append(Place(folder: folder, file: file)) }
    }
    return places
  }

  private static func knows(
    _ place: Place,
    _ folders: FolderTable,
    _ database: XapianDatabase
  ) throws(IndexError) -> Bool {
    guard let number = folders.known(place.folder) else { return false }
    return try database.document(Schema.path(StoredFile(folder: number, place.file))) != nil
  }

  /// Reads a file; one that is gone by now is simply not there.
  private mutating func read(_ place: Place) {
    Heartbeat.give()
    do throws(SystemError) {
      let maildir = root.appending(place.folder)
      opened += 1
      guard
        let read = try MailFile.read(
          maildir,
          place.file,
          limit: MessageReader.sizeLimit
        )
      else { return }
      let content = reader.content(read)
      contents[place] = (content, read.mark)
      cost += content.cost
    } catch {
      failed[place] = error
    }
  }

  private mutating func add(
    _ place: Place,
    _ transaction: IndexTransaction
  ) throws(IndexError) {
    let file = StoredFile(folder: transaction.folders.number(of: place.folder), place.file)
    if try transaction.knows(file) { return }
    if contents[place] == nil, failed[place] == nil { read(place) }
    guard let (content, mark) = contents.removeValue(forKey: place) else { return }
    try transaction.add(file, content, mark)
  }
}
