internal import MailModel
internal import Octets
package import SyncPlan

// How records come and go.
extension RecordTable {
  /// Puts a record in the place of the one of its UID; gives that one.
  @discardableResult
  package mutating func putRecord(_ record: BaseRecord) -> BaseRecord? {
    let old = self[record.uid]
    if let old, old.name != record.name { release(old) }
    if let other = uid(of: record.name), other != record.uid { sharesNames = true }
    if old == nil { count += 1 }
    changes[record.uid] = .some(record)
    changedNames[record.name] = .some(record.uid)
    recordDetails(record)
    foldChanges()
    return old
  }

  /// Gives a message other flags; nothing happens where there is none of that UID.
  mutating func setFlags(_ flags: MessageFlags, of uid: UInt32) {
    guard var record = self[uid] else { return }
    record.flags = flags
    changes[uid] = .some(record)
    foldChanges()
  }

  /// Takes a record away.
  mutating func remove(_ uid: UInt32) {
    guard let old = self[uid] else { return }
    release(old)
    count -= 1
    changes[uid] = .some(nil)
    partials[uid] = nil
    serverHeaders[uid] = nil
    foldChanges()
  }

  private mutating func recordDetails(_ record: BaseRecord) {
    if record.serverHeader != nil || !serverHeaders.isEmpty {
      serverHeaders[record.uid] = record.serverHeader
    }
    switch record.completeness {
    case .whole: partials[record.uid] = nil
    case .partial(let name): partials[record.uid] = name
    }
  }

  /// The file of a message is its no more, unless another message has it by now.
  private mutating func release(_ record: BaseRecord) {
    if uid(of: record.name) == record.uid { changedNames[record.name] = .some(nil) }
  }

  /// Adds a message with these keywords as a row; false where it is to be taken as a change, since its UID is not above all
  /// others.
  mutating func append(
    _ line: MessageLine,
    keywords: [[UInt8]],
    in octets: UnsafeRawBufferPointer
  ) -> Bool {
    guard mayAppend(line.uid) else { return false }
    let name = UnsafeRawBufferPointer(rebasing: octets[line.name])
    let facts = RecordRows.Facts(
      uid: line.uid,
      flags: line.flags,
      keywords: self.keywords.position(of: keywords),
      size: line.size,
      date: line.date,
      identity: line.identity
    )
    append(facts, name)
    return true
  }

  /// Adds a message as a row; false where it is to be taken as a change.
  mutating func appendRow(_ record: BaseRecord) -> Bool {
    guard mayAppend(record.uid) else { return false }
    append(record)
    return true
  }

  /// Whether a message of that UID may be a row behind the others.
  private func mayAppend(_ uid: UInt32) -> Bool {
    changes.isEmpty && changedNames.isEmpty && rows.last.map { $0.uid < uid } ?? true
  }

  private mutating func append(_ facts: RecordRows.Facts, _ name: UnsafeRawBufferPointer) {
    rows.append(facts, name)
    if rows.sharesNames { sharesNames = true }
    count += 1
  }

  /// Makes room for so many messages more, so that rows are not copied while they are added.
  mutating func reserve(_ more: Int) {
    rows.reserve(count + more)
  }

  /// Makes rows of the changes once they are many.
  private mutating func foldChanges() {
    guard changes.count > Swift.max(Self.changeLimit, rows.count / 128) else { return }
    if sharesNames || !merge() { makeAnew() }
  }

  /// Puts the changes among the rows; false where one went or is not what its name was made of.
  ///
  /// What a first sync records, the newest first, takes no second copy of all rows so.
  private mutating func merge() -> Bool {
    var (added, changed): ([BaseRecord], [(position: Int, record: BaseRecord)]) = ([], [])
    for (uid, change) in changes {
      switch (change, row(of: uid)) {
      case (nil, nil): continue
      case (nil, _?): return false
      case (let record?, nil): added.append(record)
      case (let record?, let position?):
        guard hasName(record, at: position) else { return false }
        changed.append((position, record))
      }
    }
    for item in changed { rows.change(item.position, facts(of: item.record)) }
    added.sort { $0.uid < $1.uid }
    rows.insert(added.map { (facts(of: $0), $0.name) })
    changes = [:]
    changedNames = OctetTable()
    return true
  }

  /// Whether the name of the row is that of the record, and all that it may be made of.
  private func hasName(_ record: BaseRecord, at position: Int) -> Bool {
    let row = rows[position]
    return row.knownSize == record.size && row.knownDate == record.date
      && rows.withName(position) { $0.elementsEqual(record.name) }
  }

  private mutating func makeAnew() {
    var table = RecordTable()
    table.reserve(count)
    for record in self { table.append(record) }
    table.sharesNames = sharesNames
    // Of two messages with one name the rows know the last, which need not be the one that has the file.
    if sharesNames {
      for record in self where uid(of: record.name) != table.uid(of: record.name) {
        table.changedNames[record.name] = .some(uid(of: record.name))
      }
    }
    self = table
  }

  private mutating func append(_ record: BaseRecord) {
    let facts = facts(of: record)
    record.name.withUnsafeBytes { append(facts, $0) }
    recordDetails(record)
  }

  private mutating func facts(of record: BaseRecord) -> RecordRows.Facts {
    RecordRows.Facts(
      uid: record.uid,
      flags: record.flags.system,
      keywords: keywords.position(of: record.flags.keywords),
      size: record.size ?? 0,
      date: record.date ?? 0,
      identity: record.identity
    )
  }
}
