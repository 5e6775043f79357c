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

  /// Compares the files of folders with what an index knows of them.
  ///
  /// A file that is gone and one of the same base name and size that is new are one file that was renamed or moved.
  ///
  /// - Parameters:
  ///   - listing: what is there; folders that did not change are not in it.
  ///   - database: what is known.
  ///   - folders: the folders by number.
  ///   - root: the root of the folders.
  /// - Throws: why the database cannot be read.
  init(
    _ listing: MaildirListing,
    _ database: XapianDatabase,
    _ folders: FolderTable,
    _ root: Path
  ) throws(IndexError) {
    var arrived: [Place] = []
    var gone: [(place: Place, size: UInt64)] = []
    for (number, name) in folders.names.enumerated()
    where listing.fingerprints.folders[name] == nil && !listing.isUnreadable(name) {
      gone += try Self.gone([], number, name, database)
    }
    for (name, files) in listing.files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      guard let number = folders.known(name) else {
        arrived += files.map { Place(folder: name, file: $0) }
        continue
      }
      let known = Set(try database.keys(Schema.paths(in: number)))
      var there: Set<[UInt8]> = []
      for file in files {
        let term = Schema.path(StoredFile(folder: number, file))
        there.insert(term)
        if !known.contains(term) { arrived.append(Place(folder: name, file: file)) }
      }
      gone += try Self.gone(there, number, name, database, known)
    }
    pair(arrived, gone, root)
  }

  /// The files of a folder that are known and not there.
  private static func gone(
    _ there: Set<[UInt8]>,
    _ number: Int,
    _ name: [UInt8],
    _ database: XapianDatabase,
    _ known: Set<[UInt8]>? = nil
  ) throws(IndexError) -> [(place: Place, size: UInt64)] {
    var gone: [(place: Place, size: UInt64)] = []
    let terms: [[UInt8]]
    if let known {
      terms = Array(known)
    } else {
      terms = try database.keys(Schema.paths(in: number))
    }
    var missing: [UInt32: Set<[UInt8]>] = [:]
    for term in terms where !there.contains(term) {
      if let document = try database.document(term) { missing[document, default: []].insert(term) }
    }
    // A message may have thousands of files: each is read once.
    for (document, terms) in missing.sorted(by: { $0.key < $1.key }) {
      let record = try Record(database.data(document))
      for file in record.files where terms.contains(Schema.path(file)) {
        gone.append((Place(folder: name, file: file.scanned), record.size))
      }
    }
    return gone
  }

  private mutating func pair(
    _ arrived: [Place],
    _ gone: [(place: Place, size: UInt64)],
    _ root: Path
  ) {
    var byBase: [[UInt8]: [Int]] = [:]
    for (number, lost) in gone.enumerated() {
      byBase[lost.place.file.name.base, default: []].append(number)
    }
    var isPaired = [Bool](repeating: false, count: gone.count)
    var additions: [MaildirChange] = []
    for place in arrived {
      let candidates = (byBase[place.file.name.base] ?? []).filter { !isPaired[$0] }
      let best =
        candidates.first { gone[$0].place.folder == place.folder }
        ?? candidates.first { gone[$0].size == Self.size(place, root) }
      guard let best else {
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

  private static func size(_ place: Place, _ root: Path) -> UInt64? {
    let path = place.file.path(in: root.appending(place.folder))
    guard let status = try? FileSystem.status(path) else { return nil }
    return UInt64(max(0, status.size))
  }
}
