internal import Octets
internal import Threads

/// Makes documents for the library.
struct DocumentMaker {
  /// The number of the transaction that the documents belong to.
  let revision: UInt64

  /// The slot of a label, a new one where it has none.
  let slot: (Label) -> UInt32

  /// The number of a person, a new one where it has none.
  let person: (Person) throws(IndexError) -> UInt32

  /// How far stretches of words are apart, so that no phrase and no neighbourhood reaches across.
  private static let gap: UInt32 = 100

  /// A new document.
  func make(
    _ content: MessageContent,
    files: [StoredFile],
    variants: [UInt32: Int],
    keywords: Set<Keyword>,
    thread: ThreadID
  ) throws(IndexError) -> XapianDocument {
    var record = content.record
    record.files = files
    record.variants = variants
    record.keywords = keywords
    let document = try XapianDocument()
    var position: UInt32 = 0
    for (prefix, words) in content.words {
      try document.add(words, prefix, hasPositions: true, &position)
      position += Self.gap
    }
    for term in content.terms { try document.add(term) }
    for term in Self.identity(record) { try document.add(term) }
    for (slot, value) in changeable(record) { try document.set(slot, value) }
    try set(thread, in: document)
    try document.set(Schema.Slot.date, Schema.date(record.date, of: LinkKey(id: record.id)))
    try document.set(Schema.Slot.size, Schema.size(record.size))
    try document.set(Schema.Slot.revision, Schema.revision(revision))
    try document.set(Schema.Slot.people, try people(record))
    try document.setData(record.octets)
    return document
  }

  /// The numbers of its people; empty where they are too many.
  private func people(_ record: Record) throws(IndexError) -> [UInt8] {
    let count = record.from.count + record.to.count + record.cc.count
    guard count <= PeopleNumbers.limit else { return [] }
    var numbers = PeopleNumbers()
    for person in record.from { numbers.from.append(try self.person(person)) }
    for person in record.to { numbers.to.append(try self.person(person)) }
    for person in record.cc { numbers.cc.append(try self.person(person)) }
    return numbers.octets
  }

  /// A document of the database whose files have changed: no mail file is needed, and no word is touched.
  func update(
    _ number: UInt32,
    of database: XapianDatabase,
    from old: Record,
    to new: Record
  ) throws(IndexError) {
    let document = try XapianDocument(number, of: database)
    let (before, after) = (changeable(old), changeable(new))
    for slot in before.keys where after[slot] == nil { try document.set(slot, []) }
    for (slot, value) in after where before[slot] != value { try document.set(slot, value) }
    try document.setData(new.octets)
    try replace(number, of: database, by: document)
  }

  /// Puts a document into another thread.
  func move(
    _ number: UInt32,
    of database: XapianDatabase,
    from old: ThreadID?,
    to new: ThreadID
  ) throws(IndexError) {
    let document = try XapianDocument(number, of: database)
    if let old { try document.remove(Schema.thread(old)) }
    try set(new, in: document)
    try replace(number, of: database, by: document)
  }

  private func replace(
    _ number: UInt32,
    of database: XapianDatabase,
    by document: XapianDocument
  ) throws(IndexError) {
    try document.set(Schema.Slot.revision, Schema.revision(revision))
    try database.replace(number, document)
  }

  private func set(_ thread: ThreadID, in document: XapianDocument) throws(IndexError) {
    try document.add(Schema.thread(thread))
    try document.set(Schema.Slot.thread, Schema.octets(thread.rawValue))
  }

  /// What stays as it is as long as the message is there.
  private static func identity(_ record: Record) -> [[UInt8]] {
    let links = [LinkKey(id: record.id)] + record.links
    let tags = record.tags.filter { Schema.slot($0) == nil }
    return [Schema.id(record.id)] + links.map { Schema.link($0) } + tags.map { Schema.tag($0) }
      + (record.subjectLink.map { [Schema.subjectLink($0.key)] } ?? [])
  }

  /// The values that change when a file comes, goes, moves to another folder, or has other flags or keywords, by slot.
  private func changeable(_ record: Record) -> [UInt32: [UInt8]] {
    var values: [UInt32: [UInt8]] = [:]
    for (label, value) in Label.all(of: record) { values[slot(label)] = value }
    for tag in record.tags {
      if let slot = Schema.slot(tag) { values[slot] = Self.isSet }
    }
    return values
  }

  private static let isSet = [UInt8(ascii: "1")]
}
