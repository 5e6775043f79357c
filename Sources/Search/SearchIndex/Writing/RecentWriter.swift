internal import CXapian
internal import Octets
internal import Platform

/// Has new messages go to the recent database, and makes what was changed in any of the databases visible at once.
struct RecentWriter {
  private let generation: Generation
  private let epoch: UInt64
  /// The smaller databases that readers open now.
  private let current: RecentPointer.Parts
  /// Those that are being written.
  private var next = RecentPointer.Parts()
  /// The number of a new recent database.
  private let recent: Int

  /// Goes on from what is there: the middle and the recent database are copied, and the copies joined to the main one.
  ///
  /// - Parameters:
  ///   - generation: where the databases are.
  ///   - database: the main one, open for writing, under the writer's lock.
  /// - Throws: why they cannot be read, or the copies not be written.
  init(_ generation: Generation, _ database: XapianDatabase) throws(IndexError) {
    self.generation = generation
    epoch = try Generation.epoch(of: database)
    current = try generation.pointer()[epoch]
    do throws(SystemError) {
      try generation.removeLeftovers(keeping: current)
      let numbers = try generation.numbers()
      recent = (numbers.recent.last ?? 0) + 1
      if let middle = current.middle {
        let new = (numbers.middle.last ?? 0) + 1
        try Generation.fork(generation.middle(middle), to: generation.middle(new))
        next.middle = new
      }
      if let current = current.recent {
        try Generation.copy(generation.recent(current), to: generation.recent(recent))
        next.recent = recent
      }
    } catch {
      throw .system(error)
    }
    for path in generation.paths(next) { try database.join(path, MAGNUM_INDEX_WRITE) }
  }

  /// Prepares for new messages: they go to the recent database, which is made where there is none.
  ///
  /// - Throws: why the databases cannot be read or written.
  mutating func makeRoom(_ database: XapianDatabase) throws(IndexError) {
    guard next.recent == nil else { return }
    let carried = try Self.carried(of: database)
    try database.join(generation.recent(recent), MAGNUM_INDEX_WRITE)
    next.recent = recent
    for (key, value) in carried { try database.setMetadata(key, value) }
  }

  /// What the newest part answers for.
  static func carried(
    of database: XapianDatabase
  ) throws(IndexError) -> [(key: String, value: [UInt8])] {
    var carried: [(key: String, value: [UInt8])] = []
    for key in Schema.Key.carried { carried.append((key, try database.metadata(key))) }
    return carried
  }

  /// The same, and what any part may have in place of an older one: what is made of several parts has to keep it.
  static func merged(
    of database: XapianDatabase
  ) throws(IndexError) -> [(key: String, value: [UInt8])] {
    var merged = try carried(of: database)
    for key in try database.keys(Array(PeopleTable.start.utf8)) {
      let name = String(decoding: key, as: UTF8.self)
      merged.append((name, try database.metadata(name, MAGNUM_INDEX_ANY)))
    }
    return merged
  }

  /// Parts with a recent database in which nothing is left.
  mutating func foldIfEmpty(_ database: XapianDatabase) throws(IndexError) {
    guard next.recent != nil, try database.newestCount() == 0 else { return }
    let merged = try Self.merged(of: database)
    try database.partWithNewest()
    next.recent = nil
    for (key, value) in merged { try database.setMetadata(key, value) }
  }

  /// Makes all changes visible and durable, or none.
  ///
  /// Where the main database was changed, its commit is what counts; else it is the pointer to the others.
  mutating func commit(_ database: XapianDatabase) throws(IndexError) {
    let isMainChanged = database.isChanged(part: 0)
    let unused = try write(database)
    var pointer = RecentPointer()
    if isMainChanged { pointer[epoch] = current }
    pointer[isMainChanged ? epoch + 1 : epoch] = next
    // A change that was cut short may have left a line for the state to come.
    if try generation.pointer() != pointer { try generation.setPointer(pointer) }
    if isMainChanged {
      try database.setMetadata(Schema.Key.epoch, Array(decimal: epoch + 1), MAGNUM_INDEX_MAIN)
      try database.commit()
    } else {
      database.cancel()
    }
    // Readers may be opening those that counted until now; the ones before these go.
    for path in unused { try? generation.remove(path) }
    try? generation.removeLeftovers(keeping: next)
  }

  /// Makes the smaller databases durable that were changed; the others stay the ones that are there.
  ///
  /// - Returns: the copies that are of no use.
  private mutating func write(_ database: XapianDatabase) throws(IndexError) -> [Path] {
    var (written, unused): ([Path], [Path]) = ([], [])
    var part = database.partCount - 1
    if let number = next.recent {
      let isChanged = database.isChanged(part: part)
      if isChanged {
        written.append(generation.recent(number))
      } else {
        unused.append(generation.recent(number))
        next.recent = current.recent
      }
      part -= 1
    }
    if let number = next.middle {
      let isChanged = database.isChanged(part: part)
      if isChanged {
        written.append(generation.middle(number))
      } else {
        unused.append(generation.middle(number))
        next.middle = current.middle
      }
    }
    guard !written.isEmpty else { return unused }
    try database.flush()
    do throws(SystemError) {
      for path in written { try Generation.synchronise(path) }
      try FileSystem.synchroniseDirectory(generation.path)
    } catch {
      throw .system(error)
    }
    return unused
  }
}
