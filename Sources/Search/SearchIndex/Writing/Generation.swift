internal import CXapian
internal import Octets
internal import Platform

/// A database as it lies on disk: a large one, and beside it smaller ones of what has come lately.
///
/// New messages touch nearly every block of a large database's positions, so they gather in a small one, the recent one. When
/// that has grown, it becomes one with the middle one. When that has grown, all are made one anew (``Tiers``).
///
/// A recent database is never changed once it can be seen: each change writes a new one. A middle one is changed as the library
/// changes databases: what readers see stays until the change after the next. The file `recent` and the epoch of the large one
/// together decide which of them count (``RecentPointer``). So either the renaming of that file or the commit of the large
/// database makes a change visible, all of it at once.
struct Generation: Sendable {
  let path: Path

  init(_ path: Path) {
    self.path = path
  }

  /// How often to look again where writers are faster.
  private static let attempts = 8

  /// Opens all for reading, as they were at one moment.
  ///
  /// - Parameter anySchema: whether one made by any other version is welcome.
  /// - Returns: all as one.
  /// - Throws: `newer` and `older` for a schema that cannot be read; `notThere`.
  func open(anySchema: Bool = false) throws(IndexError) -> XapianDatabase {
    try openParts(anySchema: anySchema).database
  }

  /// As ``open(anySchema:)``, and which smaller ones there are.
  func openParts(
    anySchema: Bool = false
  ) throws(IndexError) -> (database: XapianDatabase, parts: RecentPointer.Parts) {
    for _ in 1...Self.attempts {
      let database = try XapianDatabase(path)
      if !anySchema { try Self.check(database) }
      let epoch = try Self.epoch(of: database)
      let parts = try pointer()[epoch]
      if parts.isEmpty {
        if try !database.reopen() { return (database, parts) }
      } else if try join(database, parts, epoch) {
        return (database, parts)
      }
    }
    throw .modified
  }

  /// Where the databases are that are read with the main one, the older ones first.
  func paths(_ parts: RecentPointer.Parts) -> [Path] {
    [parts.middle.map(middle), parts.recent.map(recent)].compactMap { $0 }
  }

  private static func check(_ database: XapianDatabase) throws(IndexError) {
    let schema = try schema(of: database)
    if schema > Schema.number { throw .newer(schema: schema) }
    if schema < Schema.oldestReadable { throw .older(schema: schema) }
  }

  /// The schema of a main database.
  static func schema(of database: XapianDatabase) throws(IndexError) -> Int {
    let text = try database.metadata(Schema.Key.schema, MAGNUM_INDEX_MAIN)
    return Int(String(decoding: text, as: UTF8.self)) ?? 0
  }

  /// Adds the smaller databases; false where one of them is on its way out.
  private func join(
    _ database: XapianDatabase,
    _ parts: RecentPointer.Parts,
    _ epoch: UInt64
  ) throws(IndexError) -> Bool {
    for path in paths(parts) {
      do throws(IndexError) {
        try database.join(path)
      } catch {
        // What others count by now was removed, or changed twice, meanwhile.
        guard try Self.isThere(path), try pointer()[epoch] == parts else { return false }
        throw error
      }
      // It loses its name before its files: all of them were there when they were opened.
      if try !Self.isThere(path) { return false }
    }
    return true
  }

  private static func isThere(_ path: Path) throws(IndexError) -> Bool {
    do throws(SystemError) { return try FileSystem.status(path) != nil } catch {
      throw .system(error)
    }
  }

  /// The epoch of a main database.
  static func epoch(of database: XapianDatabase) throws(IndexError) -> UInt64 {
    let text = try database.metadata(Schema.Key.epoch, MAGNUM_INDEX_MAIN)
    return UInt64(String(decoding: text, as: UTF8.self)) ?? 0
  }

  // MARK: Smaller databases

  private var pointerFile: Path { path.appending("recent") }

  /// The files of which each commit replaces one at least.
  var committedFiles: [Path] { [path.appending("iamglass"), pointerFile] }

  /// Where the recent database of a number is.
  func recent(_ number: Int) -> Path { path.appending("recent-\(number)") }

  /// Where the middle database of a number is.
  func middle(_ number: Int) -> Path { path.appending("middle-\(number)") }

  /// What the file says; nothing where there is none.
  func pointer() throws(IndexError) -> RecentPointer {
    do throws(SystemError) {
      return RecentPointer(try FileSystem.readFile(pointerFile, limit: 10_000) ?? [])
    } catch {
      throw .system(error)
    }
  }

  /// Replaces the file; durable on return.
  func setPointer(_ pointer: RecentPointer) throws(IndexError) {
    do throws(SystemError) {
      try AtomicFile.replace(pointerFile, with: pointer.octets)
    } catch {
      throw .system(error)
    }
  }

  /// The numbers of the smaller databases that are there, used or not, in ascending order.
  func numbers() throws(SystemError) -> (middle: [Int], recent: [Int]) {
    var numbers: (middle: [Int], recent: [Int]) = ([], [])
    try FileSystem.entries(of: path) { name, kind in
      guard kind == .directory else { return }
      let words = String(decoding: name, as: UTF8.self).split(separator: "-")
      guard words.count == 2, let number = Int(words[1]) else { return }
      if words[0] == "recent" { numbers.recent.append(number) }
      if words[0] == "middle" { numbers.middle.append(number) }
    }
    return (numbers.middle.sorted(), numbers.recent.sorted())
  }

  /// How many databases of each kind stay that are no longer named: a reader may be opening one.
  private static let spares = 1

  /// Removes smaller databases that are no longer used.
  ///
  /// Only to be called under the writer's lock.
  ///
  /// - Parameter current: those that are used.
  /// - Throws: why they cannot be removed.
  func removeLeftovers(keeping current: RecentPointer.Parts) throws(SystemError) {
    try AtomicFile.removeLeftovers(in: path)
    try IndexPlace.removeTree(gone)
    let numbers = try numbers()
    for number in numbers.recent.filter({ $0 != current.recent }).dropLast(Self.spares) {
      try remove(recent(number))
    }
    for number in numbers.middle.filter({ $0 != current.middle }).dropLast(Self.spares) {
      try remove(middle(number))
    }
  }

  private var gone: Path { path.appending("gone") }

  /// Removes a smaller database.
  func remove(_ database: Path) throws(SystemError) {
    try FileSystem.rename(database, to: gone)
    try IndexPlace.removeTree(gone)
  }

  /// Makes the files of the main database durable.
  func synchronise() throws(SystemError) {
    try Self.synchronise(path)
  }

  /// Makes the files of a directory, and their names, durable.
  static func synchronise(_ directory: Path) throws(SystemError) {
    for name in try files(of: directory) {
      try FileSystem.synchroniseFile(directory.appending(name))
    }
    try FileSystem.synchroniseDirectory(directory)
  }

  /// Makes a directory with copies of the files of another one; not durable on return.
  static func copy(_ source: Path, to target: Path) throws(SystemError) {
    try FileSystem.makeDirectory(target)
    for name in try files(of: source) {
      try copyFile(source.appending(name), to: target.appending(name))
    }
  }

  /// Makes a directory in which the library can change a database so that it stays as it is in the directory that is there.
  ///
  /// A commit of the library leaves all blocks alone that belong to the state before it; only its file `iamglass` says which
  /// these are. So all other files may be the same ones. The state before stays until the change after the next.
  static func fork(_ source: Path, to target: Path) throws(SystemError) {
    try FileSystem.makeDirectory(target)
    for name in try files(of: source) {
      let (old, new) = (source.appending(name), target.appending(name))
      if name.elementsEqual([UInt8](ascii: "iamglass")) {
        try copyFile(old, to: new)
        continue
      }
      do {
        try FileSystem.link(old, to: new)
      } catch {
        // Not all file systems have second names for files.
        try copyFile(old, to: new)
      }
    }
  }

  private static func copyFile(_ source: Path, to target: Path) throws(SystemError) {
    let original = try Descriptor.open(source, .read)
    let file = try Descriptor.open(target, .createExclusive(0o600))
    while true {
      let piece = try original.read(atMost: 1 << 20)
      if piece.isEmpty { break }
      try file.write(all: piece)
    }
    try file.close()
  }

  /// How many octets the files of a directory have.
  static func size(of directory: Path) throws(SystemError) -> Int64 {
    var size: Int64 = 0
    for name in try files(of: directory) {
      size += try FileSystem.status(directory.appending(name))?.size ?? 0
    }
    return size
  }

  /// The names of the files of a database; the file that the library locks holds nothing.
  private static func files(of directory: Path) throws(SystemError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    try FileSystem.entries(of: directory) { name, kind in
      let isLock = name.elementsEqual([UInt8](ascii: "flintlock"))
      if kind == .regular, !isLock { names.append(Array(name)) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
