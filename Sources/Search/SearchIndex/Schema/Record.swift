internal import MailModel
internal import Maildir
internal import Threads

/// What is kept with each document: all that lists of results and threading need, so that no mail file has to be
/// opened for them.
struct Record: Hashable {
  var id: [UInt8] = []
  var date: Int64 = 0
  var size: UInt64 = 0
  var features: Features = []
  /// A checksum of what the message says, so that another one of the same id is not taken for a copy.
  var content: UInt64 = 0
  var links: [LinkKey] = []
  var subjectLink: SubjectLink?
  var subject: [UInt8] = []
  var from: [Person] = []
  var to: [Person] = []
  var cc: [Person] = []
  var snippet: [UInt8] = []
  var files: [StoredFile] = []
  /// How many files there are of each variant of the message; empty where all are of one.
  var variants: [UInt32: Int] = [:]
  /// What the folders of the files say of it.
  var keywords: Set<Keyword> = []

  init() {}

  /// The message as threading knows it.
  var member: ThreadMember {
    ThreadMember(
      id: LinkKey(id: id),
      links: links,
      subject: subjectLink,
      date: date,
      parties: subjectLink == nil ? nil : ThreadMember.parties((from + to + cc).map(\.address))
    )
  }

  /// Its tags except for that of the inbox.
  var tags: Set<Tag> {
    let flags = files.reduce(into: SystemFlags()) { $0.formUnion(FileName($1.name).flags) }
    var tags: Set<Tag> = flags.contains(.seen) ? [] : [.unread]
    let flagTags: [(SystemFlags, Tag)] = [
      (.draft, .draft), (.flagged, .flagged), (.forwarded, .passed), (.answered, .replied),
      (.deleted, .trashed),
    ]
    for (flag, tag) in flagTags where flags.contains(flag) { tags.insert(tag) }
    if features.contains(.attachment) { tags.insert(.attachment) }
    if features.contains(.signature) { tags.insert(.signed) }
    if features.contains(.encryption) { tags.insert(.encrypted) }
    if features.contains(.partial) { tags.insert(.partial) }
    return tags
  }

  private static let version: UInt64 = 1
  /// Of records that have variants.
  private static let variedVersion: UInt64 = 2

  var octets: [UInt8] {
    var writer = OctetWriter()
    writer.add(variants.isEmpty ? Self.version : Self.variedVersion)
    writer.add(id)
    writer.add(signed: date)
    writer.add(size)
    writer.add(features.rawValue)
    writer.add(fixed: content)
    writer.add(links.count)
    for link in links { writer.add(fixed: link.rawValue) }
    writer.add(subjectLink == nil ? 0 : subjectLink?.isReply == true ? 2 : 1)
    if let subjectLink { writer.add(fixed: subjectLink.key.rawValue) }
    writer.add(subject)
    for people in [from, to, cc] { Self.add(people, to: &writer) }
    writer.add(snippet)
    writer.add(files.count)
    for file in files { file.write(to: &writer) }
    if !variants.isEmpty {
      writer.add(variants.count)
      for (variant, count) in variants.sorted(by: { $0.key < $1.key }) {
        writer.add(UInt64(variant))
        writer.add(count)
      }
    }
    // Most messages have none, and nothing here.
    for keyword in keywords { keyword.write(to: &writer) }
    return writer.octets
  }

  /// The record of these octets.
  ///
  /// - Throws: where they are none.
  init(_ octets: [UInt8], _ detail: ResultDetail = .all) throws(IndexError) {
    var reader = OctetReader(octets)
    let isVaried = try Self.isVaried(&reader)
    id = reader.text()
    date = reader.signed()
    size = reader.number()
    features = Features(rawValue: reader.number())
    content = reader.fixed()
    for _ in 0..<min(reader.count(), ThreadMember.linkLimit) {
      links.append(LinkKey(rawValue: reader.fixed()))
    }
    let kind = reader.number()
    if kind > 0 {
      subjectLink = SubjectLink(key: LinkKey(rawValue: reader.fixed()), isReply: kind == 2)
    }
    subject = reader.text()
    from = Self.people(&reader)
    if detail == .all {
      to = Self.people(&reader)
      cc = Self.people(&reader)
    } else {
      for _ in 0..<2 { Self.skipPeople(&reader) }
    }
    snippet = reader.text()
    var count = reader.count()
    while count > 0, !reader.isCut {
      files.append(StoredFile(&reader))
      count -= 1
    }
    var varied = isVaried ? reader.count() : 0
    while varied > 0, !reader.isCut {
      variants[UInt32(truncatingIfNeeded: reader.number())] = reader.count()
      varied -= 1
    }
    while !reader.isAtEnd, !reader.isCut {
      if let keyword = Keyword(&reader) { keywords.insert(keyword) }
    }
    if reader.isCut { throw IndexError.damaged("record cut short") }
  }

  /// Whether a record has variants; takes its number.
  private static func isVaried(_ reader: inout OctetReader) throws(IndexError) -> Bool {
    let number = reader.number()
    guard number == version || number == variedVersion else {
      throw IndexError.damaged("unknown record")
    }
    return number == variedVersion
  }

  private static func add(_ people: [Person], to writer: inout OctetWriter) {
    writer.add(people.count)
    for person in people {
      writer.add(person.name)
      writer.add(person.address)
    }
  }

  private static func skipPeople(_ reader: inout OctetReader) {
    var count = reader.count()
    while count > 0, !reader.isCut {
      reader.skipText()
      reader.skipText()
      count -= 1
    }
  }

  private static func people(_ reader: inout OctetReader) -> [Person] {
    var people: [Person] = []
    var count = reader.count()
    while count > 0, !reader.isCut {
      people.append(Person(name: reader.text(), address: reader.text()))
      count -= 1
    }
    return people
  }
}

extension Record {
  /// Id and date alone, for those who need no more.
  static func head(_ octets: [UInt8]) throws(IndexError) -> (id: [UInt8], date: Int64) {
    var reader = OctetReader(octets)
    _ = try isVaried(&reader)
    return (reader.text(), reader.signed())
  }

  /// The files alone.
  static func files(_ octets: [UInt8]) throws(IndexError) -> [StoredFile] {
    var reader = OctetReader(octets)
    _ = try isVaried(&reader)
    reader.skipText()
    _ = (reader.signed(), reader.number(), reader.number(), reader.fixed())
    for _ in 0..<min(reader.count(), ThreadMember.linkLimit) { _ = reader.fixed() }
    if reader.number() > 0 { _ = reader.fixed() }
    reader.skipText()
    for _ in 0..<3 { skipPeople(&reader) }
    reader.skipText()
    var files: [StoredFile] = []
    var count = reader.count()
    while count > 0, !reader.isCut {
      files.append(StoredFile(&reader))
      count -= 1
    }
    if reader.isCut { throw IndexError.damaged("record cut short") }
    return files
  }
}
