internal import Configuration
internal import Maildir
internal import MailModel
internal import Octets
internal import Platform
internal import RestorePlan

/// Messages that lie complete in tmp, and get their tags and names together.
struct ImportBatch {
  /// A message with its file in tmp; nil where nothing is written.
  struct Entry {
    let message: ImportedMessage
    let delivered: DeliveredMessage?
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
  /// Messages with tags in each folder.
  private var tagged: [Path: Int] = [:]

  /// Adds a message.
  mutating func append(_ entry: Entry) {
    entries.append(entry)
    octets += entry.size
  }

  /// Whether it is to be placed.
  var isFull: Bool {
    let growth = max(1, (tagged.values.max() ?? 0) / Self.share / Self.limit.messages)
    return entries.count >= Self.limit.messages * growth
      || octets >= Self.limit.octets * UInt64(growth)
  }

  /// Takes all entries out.
  mutating func takeAll() -> [Entry] {
    defer { (entries, octets) = ([], 0) }
    return entries
  }

  /// Gives entries their tags, then their names.
  ///
  /// - Returns: what became of each, durably.
  /// - Throws: why tags cannot be written; then no message is placed.
  mutating func place(
    _ entries: [Entry],
    _ target: ImportTarget
  ) throws(SystemError) -> [Placement.Outcome] {
    for folder in Set(entries.map(\.message.folder)) { try target.make(folder) }
    try writeTags(entries, target)
    let placements = entries.compactMap { entry in
      entry.delivered.map { delivered in
        let (subdirectory, name) = entry.message.placing
        return Placement(message: delivered, subdirectory: subdirectory, name: name)
      }
    }
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
