internal import CXapian
internal import Octets
internal import Platform

/// A database as it lies on disk: a large one, and beside it a small one of what has come lately.
///
/// New messages touch nearly every block of a large database's positions, so they gather in the small one, which goes into the
/// large one when it has grown. Small ones are never changed once they can be seen: each change writes a new one. The file
/// `recent` and the epoch of the large one together decide which of them counts (``RecentPointer``). So either the renaming of
/// that file or the commit of the large database makes a change visible, all of it at once.
struct Generation: Sendable {
  let path: Path

  init(_ path: Path) {
    self.path = path
  }

  /// How often to look again where writers are faster.
  private static let attempts = 8

  /// Opens both for reading, as they were at one moment.
  ///
  /// - Parameter anySchema: whether one made by any other version is welcome.
  /// - Returns: both as one.
  /// - Throws: `newer` and `older` for a schema that cannot be read; `notThere`.
  func open(anySchema: Bool = false) throws(IndexError) -> XapianDatabase {
    try openParts(anySchema: anySchema).database
  }

  /// As ``open(anySchema:)``, and where the recent one is; nil for none.
  func openParts(
    anySchema: Bool = false
  ) throws(IndexError) -> (database: XapianDatabase, recent: Path?) {
    for _ in 1...Self.attempts {
      let database = try XapianDatabase(path)
      if !anySchema { try Self.check(database) }
      let number = try pointer().numbers[Self.epoch(of: database)]
      if let number {
        let recent = recent(number)
        if try join(database, recent) { return (database, recent) }
      } else if try !database.reopen() {
        return (database, nil)
      }
    }
    throw .modified
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

  /// Adds the recent database; false where it is on its way out.
  private func join(_ database: XapianDatabase, _ recent: Path) throws(IndexError) -> Bool {
    do throws(IndexError) {
      try database.join(recent)
    } catch {
      guard try !Self.isThere(recent) else { throw error }
      return false
    }
    // It loses its name before its files: all of them were there when they were opened.
    return try Self.isThere(recent)
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

  // MARK: Recent databases

  private var pointerFile: Path { path.appending("recent") }

  /// Where the recent database of a number is.
  func recent(_ number: Int) -> Path { path.appending("recent-\(number)") }

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

  /// The numbers of the recent databases that are there, used or not, in ascending order.
  func recentNumbers() throws(SystemError) -> [Int] {
    var numbers: [Int] = []
    try FileSystem.entries(of: path) { name, kind in
      guard kind == .directory, name.starts(with: [UInt8](ascii: "recent-")) else { return }
      if let number = Int(String(decoding: name.dropFirst(7), as: UTF8.self)) {
        numbers.append(number)
      }
    }
    return numbers.sorted()
  }

  /// How many recent databases stay that are no longer named: a reader may be opening one.
  private static let spares = 1

  /// Removes recent databases that are no longer used.
  ///
  /// Only to be called under the writer's lock.
  ///
  /// - Parameter current: the one that is used.
  /// - Throws: why they cannot be removed.
  func removeLeftovers(keeping current: Int?) throws(SystemError) {
    try AtomicFile.removeLeftovers(in: path)
    let gone = path.appending("gone")
    try IndexPlace.removeTree(gone)
    for number in try recentNumbers().filter({ $0 != current }).dropLast(Self.spares) {
      try FileSystem.rename(recent(number), to: gone)
      try IndexPlace.removeTree(gone)
    }
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

  /// Makes a directory with the same files as another one; not durable on return.
  static func copy(_ source: Path, to target: Path) throws(SystemError) {
    try FileSystem.makeDirectory(target)
    for name in try files(of: source) {
      let original = try Descriptor.open(source.appending(name), .read)
      let file = try Descriptor.open(target.appending(name), .createExclusive(0o600))
      while true {
        let piece = try original.read(atMost: 1 << 20)
        if piece.isEmpty { break }
        try file.write(all: piece)
      }
      try file.close()
    }
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
