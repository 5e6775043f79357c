internal import Maildir
internal import Octets
internal import Platform

/// What has changed in folders since the index last knew them.
struct MaildirDifference {
  private(set) var changes: [MaildirChange] = []

  /// How many files are new, or hold something else than before.
  private(set) var additions = 0

  /// What is to be kept from now on of files whose messages are the same: other inodes, or marks where there were none.
  private(set) var renewed: [(key: [UInt8], entry: FileEntry)] = []

  /// More of them are left to later scans, so that they fit into memory.
  private static let renewalLimit = 50_000

  private struct Place: Hashable {
    let folder: [UInt8]
    let file: ScannedFile
  }

  /// What files of a folder have in common whose names differ in flags and place only.
  private struct Name: Hashable {
    let folder: [UInt8]
    let base: [UInt8]

    init(_ place: Place) {
      (folder, base) = (place.folder, place.file.name.base)
    }
  }

  /// What several files of a folder have in common by now.
  private var crowded: Set<Name> = []
  private var arrived: [Place] = []
  private var gone: [Missing] = []
  /// Files whose names belonged to other ones.
  private var replaced: [Place] = []

  /// A file that is gone.
  private struct Missing {
    let place: Place
    /// The size of a file of its message.
    let size: UInt64
    let mark: FileMark?
  }

  private let database: XapianDatabase
  private let folders: FolderTable
  private let root: Path
  private let isThorough: Bool

  /// A comparison with what an index knows, to which the folders come one by one.
  ///
  /// - Parameters:
  ///   - database: what is known.
  ///   - folders: the folders by number.
  ///   - root: the root of the folders.
  ///   - trust: where it is none, each file is looked at, and not only its inode in the directory.
  init(
    _ database: XapianDatabase,
    _ folders: FolderTable,
    _ root: Path,
    _ trust: SearchIndex.Trust
  ) {
    self.database = database
    self.folders = folders
    self.root = root
    isThorough = trust == .nothing
  }

  /// Compares the files of a folder that may have changed.
  ///
  /// - Throws: why the database cannot be read.
  mutating func compare(_ folder: [UInt8], _ files: MaildirListing.Files) throws(IndexError) {
    let number = folders.known(folder)
    let known = try entries(number, inNew: files.areNew)
    var isThere = [Bool](repeating: false, count: known.keys.count)
    let changed = changed(files, number, known, &isThere)
    for (file, inode) in files.files(at: changed) {
      let key = number.map { Schema.path(StoredFile(folder: $0, file)) }
      let place = Place(folder: folder, file: file)
      if let found = key.flatMap(known.keys.place) {
        isThere[found] = true
        guard let entry = known[found] else { continue }
        switch try standing(of: place, inode, entry) {
        case .same: break
        case .renewed(let mark):
          guard renewed.count < Self.renewalLimit else { continue }
          let entry = FileEntry(document: entry.document, mark, variant: entry.variant)
          renewed.append((known.keys[found], entry))
        case .another: replaced.append(place)
        }
      } else {
        arrived.append(place)
      }
    }
    for file in files.others { crowded.insert(Name(Place(folder: folder, file: file))) }
    try miss(known, known.keys.indices.filter { !isThere[$0] }, of: folder)
  }

  /// Where in the table those files are that have to be looked at: all, or those whose name or inode is another than before.
  ///
  /// Nothing is made of the others: there may be hundreds of thousands.
  private func changed(
    _ files: MaildirListing.Files,
    _ folder: Int?,
    _ known: FileEntries,
    _ isThere: inout [Bool]
  ) -> [Int] {
    guard let folder, !isThorough else { return Array(files.table.indices) }
    var changed: [Int] = []
    var key = Schema.paths(in: folder)
    let start = key.count
    for position in files.table.indices {
      let found = files.table.withName(at: position) { name, subdirectory -> Int? in
        guard Schema.isUncut(name.count) else { return nil }
        key.removeLast(key.count - start)
        key.append(Schema.letter(isNew: subdirectory == .new))
        key.append(contentsOf: name)
        return known.keys.place(of: key)
      }
      if let found = found ?? nil, known.hasInode(files.table.inode(at: position), at: found),
        !files.hasNamesake(position)
      {
        isThere[found] = true
      } else {
        changed.append(position)
      }
    }
    return changed
  }

  /// What a file is to the one that was read under its name.
  private enum Standing {
    case same
    /// The same, which bears another mark.
    case renewed(FileMark)
    /// Another one, or one that was written anew.
    case another
  }

  private func standing(
    of place: Place,
    _ inode: UInt32?,
    _ entry: FileEntry
  ) throws(IndexError) -> Standing {
    guard let mark = entry.mark else { return try isThorough ? standing(of: place, entry) : .same }
    guard isThorough || inode != nil && inode != mark.inode, let now = self.mark(place) else {
      return .same
    }
    guard now.version == mark.version else { return .another }
    // A copy in its place, as from a backup, has another inode; the directory may tell another one than the file.
    let told = inode == 0 ? nil : inode
    let renewed = FileMark(inode: told ?? now.inode, version: now.version)
    return renewed == mark ? .same : .renewed(renewed)
  }

  /// The same of a file that an earlier version of the program took in, of which no more than the size is known.
  private func standing(of place: Place, _ entry: FileEntry) throws(IndexError) -> Standing {
    guard let status = status(place) else { return .same }
    let size = try Record(database.data(entry.document)).size
    return size == UInt64(max(0, status.size)) ? .renewed(FileMark(status)) : .another
  }

  /// Ends the comparison, once all folders that may have changed have been compared.
  ///
  /// A file that is gone and a new one of the same base name, size and age are one file that was renamed or moved. For several
  /// files of a folder with one base name, it is not known which has become which.
  ///
  /// - Parameter listing: what is there; a folder that is not in it is gone.
  /// - Throws: why the database cannot be read.
  mutating func finish(_ listing: MaildirListing) throws(IndexError) {
    for (number, folder) in folders.names.enumerated()
    where listing.fingerprints.folders[folder] == nil && !listing.isUnreadable(folder) {
      let known = try entries(number)
      try miss(known, Array(known.keys.indices), of: folder)
    }
    pair()
  }

  /// The files of a folder, or of new in it; none for a folder that is not known.
  private func entries(
    _ folder: Int?,
    inNew: Bool = false
  ) throws(IndexError) -> FileEntries {
    guard let folder else { return FileEntries() }
    let start = Schema.paths(in: folder)
    return try database.entries(inNew ? start + [UInt8(ascii: "n")] : start)
  }

  /// Notes that files of a folder are known and not there: those in these places.
  private mutating func miss(
    _ known: FileEntries,
    _ places: [Int],
    of folder: [UInt8]
  ) throws(IndexError) {
    var missing: [UInt32: [[UInt8]: FileMark?]] = [:]
    for place in places {
      guard let entry = known[place] else { continue }
      missing[entry.document, default: [:]][known.keys[place]] = .some(entry.mark)
    }
    // A message may have thousands of files: each is read once.
    for (document, marks) in missing.sorted(by: { $0.key < $1.key }) {
      let record = try Record(database.data(document))
      for file in record.files {
        guard let mark = marks[Schema.path(file)] else { continue }
        let place = Place(folder: folder, file: file.scanned)
        gone.append(Missing(place: place, size: record.size, mark: mark))
      }
    }
  }

  private mutating func pair() {
    var byBase: [[UInt8]: [Int]] = [:]
    for (number, lost) in gone.enumerated() {
      byBase[lost.place.file.name.base, default: []].append(number)
    }
    var isPaired = [Bool](repeating: false, count: gone.count)
    let isRenaming = !gone.isEmpty && !arrived.isEmpty
    let (arrivals, departures) =
      isRenaming ? (counts(arrived), counts(gone.map(\.place))) : ([:], [:])
    var additions: [Int] = []
    for (position, place) in arrived.enumerated() {
      let candidates = (byBase[place.file.name.base] ?? []).filter { number in
        !isPaired[number] && departures[Name(gone[number].place)] == 1
          && isOne(gone[number], place)
      }
      let best = candidates.first { gone[$0].place.folder == place.folder } ?? candidates.first
      guard let best, arrivals[Name(place)] == 1, !crowded.contains(Name(place)) else {
        additions.append(position)
        continue
      }
      isPaired[best] = true
      let old = gone[best].place
      changes.append(
        .renamed(folder: old.folder, old.file, toFolder: place.folder, place.file)
      )
    }
    // What has come first, so that the last copy of a message is never gone in between.
    changes.reserveCapacity(changes.count + additions.count + 2 * replaced.count + gone.count)
    for position in additions {
      changes.append(.added(folder: arrived[position].folder, arrived[position].file))
    }
    // A first look at 100,000 files holds each once from here on.
    arrived = []
    self.additions = additions.count + replaced.count
    for place in replaced {
      changes.append(.removed(folder: place.folder, place.file))
      changes.append(.added(folder: place.folder, place.file))
    }
    for (number, lost) in gone.enumerated() where !isPaired[number] {
      changes.append(.removed(folder: lost.place.folder, lost.place.file))
    }
  }

  private func counts(_ places: [Place]) -> [Name: Int] {
    Dictionary(places.map { (Name($0), 1) }, uniquingKeysWith: +)
  }

  /// Whether a file that is gone and one that is new are one: another one may have taken over its base name.
  private func isOne(_ lost: Missing, _ place: Place) -> Bool {
    guard let status = status(place) else { return lost.place.folder == place.folder }
    guard let mark = lost.mark else { return lost.size == UInt64(max(0, status.size)) }
    return mark.version == FileMark(status).version
  }

  private func mark(_ place: Place) -> FileMark? { status(place).map { FileMark($0) } }

  private func status(_ place: Place) -> FileStatus? {
    let path = place.file.path(in: root.appending(place.folder))
    return (try? FileSystem.status(path)) ?? nil
  }
}
