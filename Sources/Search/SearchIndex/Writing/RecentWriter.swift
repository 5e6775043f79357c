internal import CXapian
internal import Octets
internal import Platform

/// Decides where new messages go, and makes what was changed in either database visible at once.
struct RecentWriter {
  private let generation: Generation
  private let epoch: UInt64
  /// The recent database that readers open now; nil for none.
  private let current: Int?
  private let number: Int
  /// Whether a new recent database is being written.
  private var isJoined = false

  /// How many messages a recent database holds: more make each change, which copies it, slow.
  static let limit = 500

  /// How many octets it has at most, and how many postings are added to it at once: folding it takes memory for all of
  /// them.
  private static let sizeLimit = 4 << 20
  private static let costLimit = 20_000

  /// Goes on from what is there: the recent database is copied, and the copy joined to the main one.
  ///
  /// - Parameters:
  ///   - generation: where the databases are.
  ///   - database: the main one, open for writing, under the writer's lock.
  /// - Throws: why they cannot be read, or the copy not be written.
  init(_ generation: Generation, _ database: XapianDatabase) throws(IndexError) {
    self.generation = generation
    epoch = try Generation.epoch(of: database)
    current = try generation.pointer().numbers[epoch]
    do throws(SystemError) {
      try generation.removeLeftovers(keeping: current)
      number = (try generation.recentNumbers().last ?? 0) + 1
      guard let current else { return }
      try Generation.copy(generation.recent(current), to: generation.recent(number))
    } catch {
      throw .system(error)
    }
    try join(database)
  }

  private mutating func join(_ database: XapianDatabase) throws(IndexError) {
    try database.join(generation.recent(number), MAGNUM_INDEX_WRITE)
    isJoined = true
  }

  /// Prepares for new messages: few go to the recent database; with many or long ones, all goes to the main one.
  ///
  /// - Parameters:
  ///   - count: how many there are.
  ///   - cost: about how many postings they make.
  ///   - database: the main one.
  /// - Throws: why the databases cannot be read or written.
  mutating func makeRoom(
    for count: Int,
    cost: Int,
    _ database: XapianDatabase
  ) throws(IndexError) {
    let total = Int(try database.recentCount()) + count
    let isLarge = count > 0 ? try isLarge() : false
    if total > Self.limit || cost > Self.costLimit || isLarge { return try fold(database) }
    guard count > 0, !isJoined else { return }
    var carried: [(String, [UInt8])] = []
    for key in Schema.Key.carried { carried.append((key, try database.metadata(key))) }
    try join(database)
    for (key, value) in carried { try database.setMetadata(key, value) }
  }

  private func isLarge() throws(IndexError) -> Bool {
    guard isJoined else { return false }
    do throws(SystemError) {
      return try Generation.size(of: generation.recent(number)) > Self.sizeLimit
    } catch {
      throw .system(error)
    }
  }

  /// Parts with a recent database in which nothing is left.
  mutating func foldIfEmpty(_ database: XapianDatabase) throws(IndexError) {
    if try database.recentCount() == 0 { try fold(database) }
  }

  private mutating func fold(_ database: XapianDatabase) throws(IndexError) {
    guard isJoined else { return }
    isJoined = false
    try database.fold()
  }

  /// Makes all changes visible and durable, or none.
  ///
  /// Where the main database was changed, its commit is what counts; else it is the pointer to the recent one.
  func commit(_ database: XapianDatabase) throws(IndexError) {
    let isMainChanged = database.isMainChanged
    let next = isMainChanged ? epoch + 1 : epoch
    if isJoined {
      try database.flush()
      do throws(SystemError) {
        try Generation.synchronise(generation.recent(number))
        try FileSystem.synchroniseDirectory(generation.path)
      } catch {
        throw .system(error)
      }
      var pointer = RecentPointer([:])
      pointer.numbers[epoch] = current
      pointer.numbers[next] = number
      try generation.setPointer(pointer)
    }
    guard isMainChanged else { return database.cancel() }
    try database.setMetadata(Schema.Key.epoch, Array(decimal: next), MAGNUM_INDEX_MAIN)
    try database.commit()
  }
}
