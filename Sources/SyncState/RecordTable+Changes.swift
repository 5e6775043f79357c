internal import MailModel
internal import Octets
package import SyncPlan

// How records come and go.
extension RecordTable {
  /// Puts a record in the place of the one of its UID; gives that one.
  @discardableResult
  package mutating func take(_ record: BaseRecord) -> BaseRecord? {
    let old = self[record.uid]
    if let old, old.name != record.name { release(old) }
    if let other = uid(of: record.name), other != record.uid { sharesNames = true }
    if old == nil { count += 1 }
    changes[record.uid] = .some(record)
    changedNames[record.name] = .some(record.uid)
    settle()
    return old
  }

  /// Gives a message other flags; nothing happens where there is none of that UID.
  mutating func setFlags(_ flags: MessageFlags, of uid: UInt32) {
    guard var record = self[uid] else { return }
    record.flags = flags
    changes[uid] = .some(record)
    settle()
  }

  /// Takes a record away.
  mutating func remove(_ uid: UInt32) {
    guard let old = self[uid] else { return }
    release(old)
    count -= 1
    changes[uid] = .some(nil)
    settle()
  }

  /// The file of a message is its no more, unless another message has it by now.
  private mutating func release(_ record: BaseRecord) {
    if uid(of: record.name) == record.uid { changedNames[record.name] = .some(nil) }
  }

  /// Adds a message as a row; false where it is to be taken as a change, since its UID is not above all others.
  mutating func append(_ line: MessageLine, in octets: UnsafeRawBufferPointer) -> Bool {
    guard changes.isEmpty, changedNames.isEmpty, line.uid > rows.last?.uid ?? 0 || rows.isEmpty
    else { return false }
    let name = UnsafeRawBufferPointer(rebasing: octets[line.name])
    append(
      Row(
        uid: line.uid,
        flags: line.flags,
        hasIdentity: line.identity != nil,
        keywords: 0,
        size: line.size,
        date: line.date,
        identity: line.identity ?? Self.noIdentity
      ),
      name
    )
    count += 1
    return true
  }

  private mutating func append(_ row: Row, _ name: UnsafeRawBufferPointer) {
    if names.append(name, keyCount: name.count).isKnown { sharesNames = true }
    rows.append(row)
  }

  /// Makes rows of the changes once they are many.
  private mutating func settle() {
    guard changes.count > Swift.max(Self.changeLimit, rows.count / 4) else { return }
    var table = RecordTable(minimumCapacity: count)
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
    let row = Row(
      uid: record.uid,
      flags: record.flags.system,
      hasIdentity: record.identity != nil,
      keywords: position(of: record.flags.keywords),
      size: record.size,
      date: record.date,
      identity: record.identity ?? Self.noIdentity
    )
    record.name.withUnsafeBytes { append(row, $0) }
    count += 1
  }

  private mutating func position(of list: [[UInt8]]) -> UInt32 {
    if list.isEmpty { return 0 }
    if let known = keywordPositions[list] { return known }
    let position = UInt32(keywords.count)
    keywords.append(list)
    keywordPositions[list] = position
    return position
  }
}
