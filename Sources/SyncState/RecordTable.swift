package import MailModel
package import Octets
package import SyncPlan

/// The messages of one mailbox on record, in the order of their UIDs, each found by its UID and by the base name of its file.
///
/// They lie in rows without references, their names in one piece of memory; what was changed since the rows were made lies
/// beside them. So a hundred thousand records that did not change cost little memory and no references, and a record is
/// made when it is asked for.
package struct RecordTable: Sendable {
  /// A record without its name, which has the number of the row.
  struct Row {
    let uid: UInt32
    let flags: SystemFlags
    let hasIdentity: Bool
    /// The position among the lists of keywords.
    let keywords: UInt32
    let size: UInt64
    let date: Int64
    let identity: ContentIdentity
  }

  static let noIdentity = ContentIdentity(messageID: 0, bodyHigh: 0, bodyLow: 0, header: 0)
  /// So many changes are kept beside the rows, or a quarter of their number.
  static let changeLimit = 1024

  /// In the order of the UIDs.
  var rows: [Row] = []
  var names: OctetPool
  /// The lists of keywords that messages have, each once; the first is empty.
  var keywords: [[[UInt8]]] = [[]]
  var keywordPositions: [[[UInt8]]: UInt32] = [[]: 0]
  /// Records that are not as their rows are, or have none; nil where the row counts no more.
  var changes: [UInt32: BaseRecord?] = [:]
  /// The messages of names that are not as the rows tell; nil where the name is no message's.
  var changedNames = OctetTable<UInt32?>()
  /// The number of messages.
  package internal(set) var count = 0
  /// Whether two messages had the same name at any time.
  package internal(set) var sharesNames = false

  /// A table of nothing, with room for so many messages.
  package init(minimumCapacity: Int = 0) {
    names = OctetPool(minimumCapacity: minimumCapacity)
    rows.reserveCapacity(minimumCapacity)
  }

  /// Whether there is no message.
  package var isEmpty: Bool { count == 0 }

  /// The record of that UID; nil where there is none.
  package subscript(uid: UInt32) -> BaseRecord? {
    if !changes.isEmpty, let change = changes[uid] { return change }
    return row(of: uid).map { record(at: $0) }
  }

  /// Whether there is a record of that UID.
  package func contains(_ uid: UInt32) -> Bool {
    if !changes.isEmpty, let change = changes[uid] { return change != nil }
    return row(of: uid) != nil
  }

  /// The UIDs, from the lowest.
  package var keys: [UInt32] {
    var keys: [UInt32] = []
    keys.reserveCapacity(count)
    forEachName { uid, _, _ in keys.append(uid) }
    return keys
  }

  /// The records, from the lowest UID.
  package var values: RecordTable { self }

  /// The highest UID; nil where there is no message.
  package var highestUID: UInt32? {
    var rest = rows.count
    while rest > 0, !changes.isEmpty, case .some(.none) = changes[rows[rest - 1].uid] { rest -= 1 }
    let changed = changes.lazy.filter { $0.value != nil }.map(\.key).max()
    let unchanged = rest > 0 ? rows[rest - 1].uid : nil
    return [changed, unchanged].compactMap { $0 }.max()
  }

  /// Whether a message has a UID in one of the ranges.
  package func hasAny(in ranges: [ClosedRange<UInt32>]) -> Bool {
    ranges.contains { range in
      var position = position(of: range.lowerBound)
      while position < rows.count, rows[position].uid <= range.upperBound {
        if contains(rows[position].uid) { return true }
        position += 1
      }
      return changes.contains { range.contains($0.key) && $0.value != nil }
    }
  }

  /// The message whose file has that base name; nil where none has.
  package func uid(of name: [UInt8]) -> UInt32? {
    if !changedNames.isEmpty, let change = changedNames[name] { return change }
    return names.number(of: name).map { rows[$0].uid }
  }

  /// The message whose file has that base name; nil where none has.
  package func uid(of name: UnsafeRawBufferPointer) -> UInt32? {
    if !changedNames.isEmpty, let change = changedNames[[UInt8](name)] { return change }
    return names.number(of: name).map { rows[$0].uid }
  }

  /// Whether there is a record of a file of that base name.
  package func contains(name: [UInt8]) -> Bool {
    if uid(of: name) != nil { return true }
    guard sharesNames else { return false }
    return contains { $0.name == name }
  }

  /// Lends UID, system flags and base name of each message, from the lowest UID.
  package func forEachName(
    _ body: (UInt32, SystemFlags, UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    try forEachPlace { place in
      switch place {
      case .row(let position):
        let row = rows[position]
        try names.withKey(position) { try body(row.uid, row.flags, $0) }
      case .change(let record):
        try record.name.withUnsafeBytes { try body(record.uid, record.flags.system, $0) }
      }
    }
  }

  /// The numbers that the names of all messages have in a pool, from the lowest UID; `OctetPool.absent` where it has none.
  package func numbers(in pool: OctetPool) -> [UInt32] {
    let numbers = pool.numbers(of: names)
    guard !changes.isEmpty else { return numbers }
    var found: [UInt32] = []
    found.reserveCapacity(count)
    forEachPlace { place in
      switch place {
      case .row(let position): found.append(numbers[position])
      case .change(let record):
        found.append(pool.number(of: record.name).map { UInt32($0) } ?? OctetPool.absent)
      }
    }
    return found
  }

  /// The records of messages with keywords, from the lowest UID.
  package var withKeywords: [BaseRecord] {
    var found: [BaseRecord] = []
    forEachPlace { place in
      switch place {
      case .row(let position): if rows[position].keywords > 0 { found.append(record(at: position)) }
      case .change(let record): if !record.flags.keywords.isEmpty { found.append(record) }
      }
    }
    return found
  }

  // MARK: Rows

  enum Place {
    case row(Int)
    case change(BaseRecord)
  }

  /// From the lowest UID.
  private func forEachPlace(_ body: (Place) throws -> Void) rethrows {
    guard !changes.isEmpty else {
      for position in rows.indices { try body(.row(position)) }
      return
    }
    var iterator = makeIterator()
    while let place = iterator.nextPlace() { try body(place) }
  }

  /// The position of the first row of that UID or above it.
  private func position(of uid: UInt32) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].uid < uid { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func row(of uid: UInt32) -> Int? {
    let position = position(of: uid)
    return position < rows.count && rows[position].uid == uid ? position : nil
  }

  func record(at position: Int) -> BaseRecord {
    let row = rows[position]
    return BaseRecord(
      uid: row.uid,
      name: names.withKey(position) { [UInt8]($0) },
      flags: MessageFlags(row.flags, keywords: keywords[Int(row.keywords)]),
      size: row.size,
      date: row.date,
      identity: row.hasIdentity ? row.identity : nil
    )
  }
}
