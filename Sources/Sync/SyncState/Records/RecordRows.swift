internal import MailModel
internal import Maildir
internal import Octets
internal import SyncPlan

/// Records in the order of their UIDs, in rows without references.
///
/// A name that Magnum gave itself is not kept: it is made of what the record says. Other names lie in one piece of memory.
struct RecordRows: KnownNames, RandomAccessCollection {
  /// A record.
  struct Row: Sendable {
    let uid: UInt32
    let name: NamePlace
    /// 0 where it is not known: an optional would need another word in each row.
    let size: UInt64
    /// 0 where it is not known.
    let date: Int64
    var identity: ContentIdentity
    /// The position among the lists of keywords.
    var keywords: UInt32
    var flags: SystemFlags
    var hasIdentity: Bool

    var knownSize: UInt64? { size == 0 ? nil : size }
    var knownDate: Int64? { date == 0 ? nil : date }
  }

  /// Where the name of a row is: made of the row and this size of the file, or kept under this number.
  struct NamePlace {
    private static let made: UInt32 = 1 << 31
    private let value: UInt32

    init?(madeWithSize size: UInt64) {
      guard size < UInt64(Self.made) else { return nil }
      value = UInt32(size) | Self.made
    }

    init(kept number: Int) { value = UInt32(number) }

    var madeSize: UInt64? { value >= Self.made ? UInt64(value & ~Self.made) : nil }
    var number: Int { Int(value) }
  }

  private var rows: [Row] = []
  private var pool = OctetPool()
  /// The positions of the rows whose names are kept.
  private var owners: [UInt32] = []
  /// What the names that are made have in common.
  private var source: (validity: UInt32, mailbox: UInt64)?
  /// Whether two rows have one name.
  private(set) var sharesNames = false
  /// What tells these rows from others, and from the same before rows were put among them.
  private(set) var token = NameToken()

  /// Makes room for so many rows in all.
  mutating func reserve(_ count: Int) {
    if count > rows.capacity { rows.reserveCapacity(count) }
  }

  /// The position of the first row.
  var startIndex: Int { 0 }
  /// The position behind the last row.
  var endIndex: Int { rows.count }
  /// The number of rows.
  var count: Int { rows.count }

  /// The row in that position.
  subscript(position: Int) -> Row { rows[position] }

  /// The position of the first row of that UID or above it.
  func position(of uid: UInt32) -> Int {
    guard let first = rows.first, uid > first.uid else { return 0 }
    // UIDs that follow one another are found at once.
    let farthest = Swift.min(rows.count - 1, Int(uid - first.uid))
    if rows[farthest].uid == uid { return farthest }
    return rows[...farthest].firstPosition { $0.uid >= uid }
  }

  // MARK: Names

  /// Lends the name of the row in that position.
  func withName<Result>(
    _ position: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let row = rows[position]
    guard let size = row.name.madeSize, let source else {
      return try pool.withKey(row.name.number, body)
    }
    let name = OwnName(
      date: Swift.max(0, row.date),
      key: MessageKey(validity: source.validity, uid: row.uid, mailbox: source.mailbox),
      size: size,
      wireSize: row.size
    )
    return try name.withOctets(body)
  }

  /// The position of the last row of that name; nil where none has it.
  func number(of name: UnsafeRawBufferPointer) -> Int? {
    number(of: name, OwnName(name))
  }

  /// The same of a name that was taken apart.
  private func number(of name: UnsafeRawBufferPointer, _ own: OwnName?) -> Int? {
    let made = own.flatMap { madePosition(of: $0) }
    if made != nil, !sharesNames { return made }
    guard let kept = pool.number(of: name).map({ Int(owners[$0]) }) else { return made }
    return made.map { Swift.max($0, kept) } ?? kept
  }

  private func madePosition(of name: OwnName) -> Int? {
    guard let source, name.key.validity == source.validity, name.key.mailbox == source.mailbox
    else { return nil }
    let position = position(of: name.key.uid)
    guard position < rows.count, rows[position].uid == name.key.uid,
      rows[position].name.madeSize == name.size, rows[position].size == name.wireSize,
      Swift.max(0, rows[position].date) == name.date
    else { return nil }
    return position
  }

  // MARK: Adding

  /// What a record says beside its name.
  struct Facts {
    let uid: UInt32
    let flags: SystemFlags
    let keywords: UInt32
    /// 0 where it is not known, as in rows.
    let size: UInt64
    /// 0 where it is not known.
    let date: Int64
    let identity: ContentIdentity?
  }

  /// Adds a row behind the others, whose UIDs are lower.
  mutating func append(_ facts: Facts, _ name: UnsafeRawBufferPointer) {
    let own = OwnName(name)
    if number(of: name, own) != nil { sharesNames = true }
    rows.append(row(facts, name, own, at: rows.count))
  }

  /// Puts rows among the others, in place as far as there is room.
  ///
  /// Their UIDs ascend; none has the UID or the name of another one or of a row that is there.
  mutating func insert(_ added: [(facts: Facts, name: [UInt8])]) {
    guard let first = added.first else { return }
    if position(of: first.facts.uid) < rows.count { token = NameToken() }
    for number in owners.indices {
      let uid = rows[Int(owners[number])].uid
      owners[number] += UInt32(added.firstPosition { $0.facts.uid > uid })
    }
    let new = added.enumerated().map { number, item in
      let place = number + position(of: item.facts.uid)
      return item.name.withUnsafeBytes { row(item.facts, $0, OwnName($0), at: place) }
    }
    merge(new)
  }

  private mutating func merge(_ new: [Row]) {
    var (old, rest) = (rows.count, new.count)
    rows.append(contentsOf: new)
    while rest > 0 {
      let place = old + rest - 1
      if old > 0, rows[old - 1].uid > new[rest - 1].uid {
        old -= 1
        rows[place] = rows[old]
      } else {
        rest -= 1
        rows[place] = new[rest]
      }
    }
  }

  /// Gives the row in that position flags, keywords and identity; its name is not made of those.
  mutating func change(_ position: Int, _ facts: Facts) {
    rows[position].flags = facts.flags
    rows[position].keywords = facts.keywords
    rows[position].identity = facts.identity ?? Self.noIdentity
    rows[position].hasIdentity = facts.identity != nil
  }

  /// The row of those facts; a name that has to be kept is one of the row in that position.
  private mutating func row(
    _ facts: Facts,
    _ name: UnsafeRawBufferPointer,
    _ own: OwnName?,
    at position: Int
  ) -> Row {
    Row(
      uid: facts.uid,
      name: own.flatMap { placeToMake($0, facts) } ?? keep(name, for: position),
      size: facts.size,
      date: facts.date,
      identity: facts.identity ?? Self.noIdentity,
      keywords: facts.keywords,
      flags: facts.flags,
      hasIdentity: facts.identity != nil
    )
  }

  private static let noIdentity = ContentIdentity(messageID: 0, bodyHigh: 0, bodyLow: 0, header: 0)

  /// The place of a name that can be made of the facts; nil where it has to be kept.
  private mutating func placeToMake(_ name: OwnName, _ facts: Facts) -> NamePlace? {
    guard name.key.uid == facts.uid, name.wireSize == facts.size,
      name.date == Swift.max(0, facts.date)
    else { return nil }
    if source == nil { source = (name.key.validity, name.key.mailbox) }
    guard let source, name.key.validity == source.validity, name.key.mailbox == source.mailbox
    else { return nil }
    return NamePlace(madeWithSize: name.size)
  }

  private mutating func keep(_ name: UnsafeRawBufferPointer, for position: Int) -> NamePlace {
    owners.append(UInt32(position))
    return NamePlace(kept: pool.append(name, keyCount: name.count).number)
  }
}
