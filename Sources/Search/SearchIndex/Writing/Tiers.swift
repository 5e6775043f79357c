internal import CXapian
internal import Octets
internal import Platform

/// How much the smaller databases of a generation hold before they become one with the next larger one.
package struct TierLimits: Hashable, Sendable {
  /// How many messages a recent database holds: more make each change, which copies it, slow.
  package var messages = 500

  /// How many octets it has at most before messages are added.
  package var octets: Int64 = 4 << 20

  /// So many middle databases are no more than the main one.
  package var share: Int64 = 8

  package init() {}
}

/// What becomes of the databases of a generation when they have grown.
///
/// A recent one that is full becomes a part of the middle one, or all of them are made one anew where that would be more than a
/// share of the main one. So each octet is written some ten times in all, and the index has none of the gaps that insertions
/// leave. Each step is done by compaction, which reads and writes in order.
struct Tiers {
  /// What is to be done before messages are added.
  enum Step {
    case nothing
    /// The recent database becomes a part of the middle one.
    case middle
    /// All become one.
    case whole
  }

  private let generation: Generation
  private let database: XapianDatabase
  private let parts: RecentPointer.Parts

  /// Looks at a generation, under the writer's lock.
  init(_ generation: Generation) throws(IndexError) {
    self.generation = generation
    (database, parts) = try generation.openParts()
  }

  /// What is to be done before so many messages are added.
  func step(before additions: Int, _ limits: TierLimits) throws(IndexError) -> Step {
    guard additions > 0, let recent = parts.recent,
      // One of an earlier version gets no parts that such a version does not know.
      try Generation.schema(of: database) == Schema.number
    else { return .nothing }
    let count = try Int(database.newestCount()) + additions
    var size = try Self.size(generation.recent(recent))
    guard count > limits.messages || size > limits.octets else { return .nothing }
    if let middle = parts.middle { size += try Self.size(generation.middle(middle)) }
    return try size * limits.share > Self.size(generation.path) ? .whole : .middle
  }

  private static func size(_ database: Path) throws(IndexError) -> Int64 {
    do throws(SystemError) { return try Generation.size(of: database) } catch {
      throw .system(error)
    }
  }

  /// Makes the recent database a part of the middle one; durable, and seen by readers, on return.
  func mergeIntoMiddle() throws(IndexError) {
    let number: Int
    do throws(SystemError) {
      try generation.removeLeftovers(keeping: parts)
      number = (try generation.numbers().middle.last ?? 0) + 1
    } catch {
      throw .system(error)
    }
    let target = generation.middle(number)
    do throws(IndexError) {
      Heartbeat.give()
      try database.compact(from: 1, to: target)
      Heartbeat.give()
      try Self.carry(from: database, to: target)
      try synchronise(target)
    } catch {
      // What was cut short only takes room, which may be what is missing.
      try? IndexPlace.removeTree(target)
      throw error
    }
    var pointer = RecentPointer()
    pointer[try Generation.epoch(of: database)] = RecentPointer.Parts(middle: number)
    try generation.setPointer(pointer)
  }

  private func synchronise(_ database: Path) throws(IndexError) {
    do throws(SystemError) {
      try Generation.synchronise(database)
      try FileSystem.synchroniseDirectory(generation.path)
    } catch {
      throw .system(error)
    }
  }

  /// Has a database that was made of others answer for what the newest of them answered for, and keep something more.
  static func carry(
    from database: XapianDatabase,
    to target: Path,
    _ metadata: [(key: String, value: [UInt8])] = []
  ) throws(IndexError) {
    let merged = try XapianDatabase.writable(target)
    for (key, value) in try RecentWriter.merged(of: database) + metadata {
      try merged.setMetadata(key, value)
    }
    try merged.flush()
  }
}
