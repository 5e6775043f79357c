package import MailModel
package import Maildir
internal import Octets
package import SyncPlan

/// The messages of one mailbox on record, in the order of their UIDs, each found by its UID and by the base name of its file.
///
/// They lie in rows without references; what was changed since the rows were made lies beside them. So a hundred thousand records that did not change cost little memory and no references, and a record is
/// made when it is asked for.
package struct RecordTable: Sendable {
  /// So many changes are kept beside the rows, or one for every 128 of them.
  static let changeLimit = 1024

  /// In the order of the UIDs.
  var rows = RecordRows()
  var keywords = KeywordLists()
  /// What the files of messages say of themselves that hold parts only, by UID; of rows and changes alike.
  var partials: [UInt32: [UInt8]] = [:]
  /// What the server's headers hash to that are other ones than those of the files, by UID; of rows and changes alike.
  var serverHeaders: [UInt32: UInt64] = [:]
  /// Records that are not as their rows are, or have none; nil where the row counts no more.
  var changes: [UInt32: BaseRecord?] = [:]
  /// The messages of names that are not as the rows tell; nil where the name is no message's.
  var changedNames = OctetTable<UInt32?>()
  /// The number of messages.
  package internal(set) var count = 0
  /// Whether two messages had the same name at any time.
  package internal(set) var sharesNames = false

  /// A table of nothing.
  package init() {}

  /// The names, with which a scan need not keep them once more.
  package var knownNames: any KnownNames { rows }

  /// The messages of which only parts are here and that are to be made whole, by UID.
  package func partialUIDs(wanted completions: Completions) -> [UInt32] {
    partials.keys.filter { uid in self[uid].map(completions.wants) ?? false }
  }

  /// The messages of which only parts are here.
  package var partialRecords: [BaseRecord] { partials.keys.sorted().compactMap { self[$0] } }

  /// The messages by their keywords, their UIDs ascending.
  package var uidsByKeyword: [[UInt8]: [UInt32]] {
    var found: [[UInt8]: [UInt32]] = [:]
    for record in withKeywords {
      for keyword in record.flags.keywords { found[keyword, default: []].append(record.uid) }
    }
    return found
  }

  /// The messages of at least so many octets of which all is here, and whose names do not tell that.
  package func wholeRecords(ofAtLeast size: UInt64) -> [BaseRecord] {
    var found: [BaseRecord] = []
    forEachPlace { place in
      switch place {
      case .row(let position):
        let row = rows[position]
        guard let own = row.knownSize, own >= size, row.name.madeSize == nil,
          partials[row.uid] == nil
        else { return }
        found.append(record(at: position))
      case .change(let record):
        guard let own = record.size, own >= size, !record.completeness.isPartial else { return }
        found.append(record)
      }
    }
    return found
  }

  /// Those of these texts that messages hold of which all is here.
  package func texts(among wanted: Set<Sameness.Key>) -> Set<Sameness.Key> {
    var found: Set<Sameness.Key> = []
    forEachContent(of: Set(wanted.compactMap(\.body?.low))) { identity, _ in
      if wanted.contains(identity.text) { found.insert(identity.text) }
    }
    return found
  }

  /// The messages of which all is here and that hold one of these contents, each with its UID, from the lowest.
  package func wholeMessages(
    holding contents: Set<ContentIdentity>
  ) -> [(content: ContentIdentity, uid: UInt32)] {
    var found: [(content: ContentIdentity, uid: UInt32)] = []
    forEachContent(of: Set(contents.map(\.bodyLow))) { identity, uid in
      if contents.contains(identity) { found.append((identity, uid)) }
    }
    return found
  }

  /// Tells content and UID of each message of which all is here and whose body has one of these hashes, from the lowest UID.
  ///
  /// Few records pass this, and the number is soon compared.
  private func forEachContent(of bodies: Set<UInt64>, _ body: (ContentIdentity, UInt32) -> Void) {
    func reportContent(_ identity: ContentIdentity, _ uid: UInt32) {
      guard bodies.contains(identity.bodyLow), partials[uid] == nil else { return }
      body(identity, uid)
    }
    forEachPlace { place in
      switch place {
      case .row(let position):
        if rows[position].hasIdentity { reportContent(rows[position].identity, rows[position].uid) }
      case .change(let record): record.identity.map { reportContent($0, record.uid) }
      }
    }
  }

  /// How many messages there are of which only parts are here.
  package var partialCount: Int { partials.count }

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
    forEachMessage { uid, _ in keys.append(uid) }
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

  /// The UIDs of messages that are in one of the ranges, which ascend and do not overlap; from the lowest.
  package func uids(in ranges: [ClosedRange<UInt32>]) -> [UInt32] {
    guard !ranges.isEmpty else { return [] }
    var found: [UInt32] = []
    for range in ranges {
      var position = rows.position(of: range.lowerBound)
      while position < rows.count, rows[position].uid <= range.upperBound {
        if changes[rows[position].uid] == nil { found.append(rows[position].uid) }
        position += 1
      }
    }
    let changed = changes.filter { $0.value != nil && ranges.hold($0.key) }
    return changed.isEmpty ? found : (found + changed.keys).sorted()
  }

  /// The message whose file has that base name; nil where none has.
  package func uid(of name: [UInt8]) -> UInt32? {
    name.withUnsafeBytes { uid(of: $0) }
  }

  /// The message whose file has that base name; nil where none has.
  package func uid(of name: UnsafeRawBufferPointer) -> UInt32? {
    if !changedNames.isEmpty, let change = changedNames[[UInt8](name)] { return change }
    return rows.number(of: name).map { rows[$0].uid }
  }

  /// Whether there is a record of a file of that base name.
  package func contains(name: [UInt8]) -> Bool {
    if uid(of: name) != nil { return true }
    guard sharesNames else { return false }
    return contains { $0.name == name }
  }

  /// Tells UID and system flags of each message, from the lowest UID.
  package func forEachMessage(_ body: (UInt32, SystemFlags) throws -> Void) rethrows {
    try forEachPlace { place in
      switch place {
      case .row(let position): try body(rows[position].uid, rows[position].flags)
      case .change(let record): try body(record.uid, record.flags.system)
      }
    }
  }

  /// Where the files of all messages stand in a table, from the lowest UID; `FileTable.absent` for those without one.
  package func positions(in files: FileTable) -> [UInt32] {
    let found = sharesNames ? nil : files.positions(of: rows)
    if let found, changes.isEmpty { return found }
    var positions: [UInt32] = []
    positions.reserveCapacity(count)
    forEachPlace { place in
      let position =
        switch place {
        case .row(let position):
          found?[position] ?? rows.withName(position) { Self.position(of: $0, files) }
        case .change(let record):
          record.name.withUnsafeBytes { Self.position(of: $0, files) }
        }
      positions.append(position)
    }
    return positions
  }

  private static func position(of name: UnsafeRawBufferPointer, _ files: FileTable) -> UInt32 {
    files.position(of: name).map { UInt32($0) } ?? FileTable.absent
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

  func row(of uid: UInt32) -> Int? {
    let position = rows.position(of: uid)
    return position < rows.count && rows[position].uid == uid ? position : nil
  }

  func record(at position: Int) -> BaseRecord {
    let row = rows[position]
    return BaseRecord(
      uid: row.uid,
      name: rows.withName(position) { [UInt8]($0) },
      flags: MessageFlags(row.flags, keywords: keywords[row.keywords]),
      size: row.knownSize,
      date: row.knownDate,
      identity: row.hasIdentity ? row.identity : nil,
      serverHeader: serverHeaders.isEmpty ? nil : serverHeaders[row.uid],
      completeness: partials[row.uid].map { .partial(name: $0) } ?? .whole
    )
  }
}
