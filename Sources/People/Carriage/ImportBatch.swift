internal import Configuration
internal import Maildir
internal import MailModel
internal import Octets
internal import Platform
internal import RestorePlan

/// Messages that get their files in tmp, their tags and their names together.
struct ImportBatch {
  struct Entry {
    let message: ImportedMessage
    let size: UInt64
    let key: CopyKey
    /// Where it begins in its source; nil where the source is the message.
    let offset: Int?
  }

  /// Messages and octets that become durable together.
  private static let limit = (messages: 100, octets: UInt64(8 << 20))
  /// A batch grows with the messages of its folder that have tags, whose file is written anew each time: by a part of that size.
  private static let share = 16

  private(set) var entries: [Entry] = []
  private var octets: UInt64 = 0
  /// Octets of messages that have no file yet.
  private var held: UInt64 = 0
  /// Messages with tags in each folder.
  private var tagged: [Path: Int] = [:]

  /// Adds a message.
  ///
  /// It gets its file later: most messages of a second import have none, and a file system is slow to reuse what a removed one
  /// leaves.
  ///
  /// - Throws: why a message cannot be written that memory has no room for.
  mutating func append(_ entry: Entry) throws(SystemError) {
    entries.append(entry)
    octets += entry.size
    guard held + entry.size > Self.limit.octets else {
      held += entry.size
      return
    }
    _ = try entry.message.deliver()
  }

  /// Whether it is to be placed.
  var isFull: Bool {
    let growth = max(1, (tagged.values.max() ?? 0) / Self.share / Self.limit.messages)
    return entries.count >= Self.limit.messages * growth
      || octets >= Self.limit.octets * UInt64(growth)
  }

  /// Takes all entries out.
  mutating func takeAll() -> [Entry] {
    defer { (entries, octets, held) = ([], 0, 0) }
    return entries
  }

  /// Gives entries their files, then their tags, then their names.
  ///
  /// - Parameters:
  ///   - entries: the entries.
  ///   - target: where they go.
  ///   - check: called once the files are written; what it throws ends the work.
  /// - Returns: what became of each, durably.
  /// - Throws: why a file or tags cannot be written; then no message is placed.
  mutating func place(
    _ entries: [Entry],
    _ target: ImportTarget,
    check: () throws(SystemError) -> Void
  ) throws(SystemError) -> [Placement.Outcome] {
    var placements: [Placement] = []
    for entry in entries {
      guard let delivered = try entry.message.deliver() else { continue }
      let (subdirectory, name) = entry.message.placing
      placements.append(Placement(message: delivered, subdirectory: subdirectory, name: name))
    }
    try check()
    for folder in Set(entries.map(\.message.folder)) { try target.make(folder) }
    try writeTags(entries, target)
    return MaildirCommit.commit(placements)
  }

  /// Tags come before names: a kill between them would leave messages that are there without their tags.
  private mutating func writeTags(
    _ entries: [Entry],
    _ target: ImportTarget
  ) throws(SystemError) {
    var folders: [Path: [Entry]] = [:]
    for entry in entries where !entry.message.tags.isEmpty {
      folders[entry.message.folder.path, default: []].append(entry)
    }
    for (path, entries) in folders {
      let tags = entries.map { ($0.message.base, $0.message.tags) }
      tagged[path] = try target.addTags(tags, in: path)
    }
  }
}
