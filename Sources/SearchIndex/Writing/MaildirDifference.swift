internal import Maildir
internal import Octets
internal import Platform

/// What has changed in folders since the index last knew them.
struct MaildirDifference {
  private(set) var changes: [MaildirChange] = []

  /// How many files are new.
  private(set) var additions = 0

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
  private var gone: [(place: Place, size: UInt64)] = []

  private let database: XapianDatabase
  private let folders: FolderTable
  private let root: Path

  /// A comparison with what an index knows, to which the folders come one by one.
  ///
  /// - Parameters:
  ///   - database: what is known.
  ///   - folders: the folders by number.
  ///   - root: the root of the folders.
  init(_ database: XapianDatabase, _ folders: FolderTable, _ root: Path) {
    self.database = database
    self.folders = folders
    self.root = root
  }

  /// Compares the files of a folder that may have changed.
  ///
  /// - Throws: why the database cannot be read.
  mutating func compare(_ folder: [UInt8], _ files: MaildirListing.Files) throws(IndexError) {
    let number = folders.known(folder)
    let known = try keys(number)
    var isThere = [Bool](repeating: false, count: known.count)
    for file in files.all {
      let place = number.flatMap { known.place(of: Schema.path(StoredFile(folder: $0, file))) }
      if let place {
        isThere[place] = true
      } else {
        arrived.append(Place(folder: folder, file: file))
      }
    }
    for file in files.others { crowded.insert(Name(Place(folder: folder, file: file))) }
    try miss(known.indices.lazy.filter { !isThere[$0] }.map { known[$0] }, of: folder)
  }

  /// Ends the comparison, once all folders that may have changed have been compared.
  ///
  /// A file that is gone and one of the same base name and size that is new are one file that was renamed or moved; of several
  /// files of a folder with one base name nobody can tell which has become which.
  ///
  /// - Parameter listing: what is there; a folder that is not in it is gone.
  /// - Throws: why the database cannot be read.
  mutating func finish(_ listing: MaildirListing) throws(IndexError) {
    for (number, folder) in folders.names.enumerated()
    where listing.fingerprints.folders[folder] == nil && !listing.isUnreadable(folder) {
      try miss(try keys(number), of: folder)
    }
    pair()
  }

  /// The keys of the files of a folder; none for a folder that is not known.
  private func keys(_ folder: Int?) throws(IndexError) -> TermList {
    guard let folder else { return TermList() }
    return try database.keys(Schema.paths(in: folder))
  }

  /// Notes that files of a folder are known and not there.
  private mutating func miss(
    _ keys: some Sequence<[UInt8]>,
    of folder: [UInt8]
  ) throws(IndexError) {
    var missing: [UInt32: Set<[UInt8]>] = [:]
    for key in keys {
      if let document = try database.document(key) { missing[document, default: []].insert(key) }
    }
    // A message may have thousands of files: each is read once.
    for (document, keys) in missing.sorted(by: { $0.key < $1.key }) {
      let record = try Record(database.data(document))
      for file in record.files where keys.contains(Schema.path(file)) {
        gone.append((Place(folder: folder, file: file.scanned), record.size))
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
    var additions: [MaildirChange] = []
    for place in arrived {
      let candidates = (byBase[place.file.name.base] ?? []).filter { number in
        !isPaired[number] && departures[Name(gone[number].place)] == 1
      }
      let best =
        candidates.first { gone[$0].place.folder == place.folder }
        ?? candidates.first { gone[$0].size == Self.size(place, root) }
      guard let best, arrivals[Name(place)] == 1, !crowded.contains(Name(place)) else {
        additions.append(.added(folder: place.folder, place.file))
        continue
      }
      isPaired[best] = true
      let old = gone[best].place
      changes.append(
        .renamed(folder: old.folder, old.file, toFolder: place.folder, place.file)
      )
    }
    // What has come first, so that the last copy of a message is never gone in between.
    changes += additions
    self.additions = additions.count
    for (number, lost) in gone.enumerated() where !isPaired[number] {
      changes.append(.removed(folder: lost.place.folder, lost.place.file))
    }
  }

  private func counts(_ places: [Place]) -> [Name: Int] {
    Dictionary(places.map { (Name($0), 1) }, uniquingKeysWith: +)
  }

  private static func size(_ place: Place, _ root: Path) -> UInt64? {
    let path = place.file.path(in: root.appending(place.folder))
    guard let status = try? FileSystem.status(path) else { return nil }
    return UInt64(max(0, status.size))
  }
}
