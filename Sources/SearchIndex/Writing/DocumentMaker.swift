internal import Octets
internal import Threads

/// Makes documents for the library.
enum DocumentMaker {
  /// How far stretches of words are apart, so that no phrase and no neighbourhood reaches across.
  private static let gap: UInt32 = 100

  /// A new document.
  static func make(
    _ content: MessageContent,
    files: [StoredFile],
    keywords: Set<Keyword>,
    thread: ThreadID
  ) throws(IndexError) -> XapianDocument {
    var record = content.record
    record.files = files
    record.keywords = keywords
    let document = try XapianDocument()
    var position: UInt32 = 0
    for (prefix, words) in content.words {
      try document.add(words, prefix, hasPositions: true, &position)
      position += gap
    }
    for term in content.terms { try document.add(term) }
    for term in identity(record) { try document.add(term) }
    for term in changeable(record) { try document.add(term) }
    for slot in flags(record) { try document.set(slot, isSet) }
    try set(thread, in: document)
    try document.set(Schema.Slot.date, Schema.date(record.date))
    try document.set(Schema.Slot.size, Schema.size(record.size))
    try document.setData(record.octets)
    return document
  }

  /// A document of the database whose files have changed: no mail file is needed, and no word is touched.
  static func update(
    _ number: UInt32,
    of database: XapianDatabase,
    from old: Record,
    to new: Record
  ) throws(IndexError) {
    let document = try XapianDocument(number, of: database)
    let (before, after) = (Set(changeable(old)), Set(changeable(new)))
    for term in before.subtracting(after) { try document.remove(term) }
    for term in after.subtracting(before) { try document.add(term) }
    let (cleared, raised) = (flags(old).subtracting(flags(new)), flags(new).subtracting(flags(old)))
    for slot in cleared { try document.set(slot, []) }
    for slot in raised { try document.set(slot, isSet) }
    try document.setData(new.octets)
    try database.replace(number, document)
  }

  /// Puts a document into another thread.
  static func move(
    _ number: UInt32,
    of database: XapianDatabase,
    from old: ThreadID?,
    to new: ThreadID
  ) throws(IndexError) {
    let document = try XapianDocument(number, of: database)
    if let old { try document.remove(Schema.thread(old)) }
    try set(new, in: document)
    try database.replace(number, document)
  }

  private static func set(_ thread: ThreadID, in document: XapianDocument) throws(IndexError) {
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

  /// What changes when a file comes, goes, moves to another folder or has other keywords.
  private static func changeable(_ record: Record) -> [[UInt8]] {
    let folders = Set(record.files.map(\.folder)).map { Schema.folder($0) }
    let keywords = record.files.flatMap { file in
      file.keywordLetters.map { Schema.keyword($0, in: file.folder) }
    }
    return folders + Set(keywords) + record.keywords.map { Schema.name($0) }
  }

  private static let isSet = [UInt8(ascii: "1")]

  /// The slots of the flags that a message has.
  private static func flags(_ record: Record) -> Set<UInt32> {
    Set(record.tags.compactMap { Schema.slot($0) })
  }
}
