internal import CXapian
internal import MailModel
internal import Maildir
internal import Octets
internal import Query
internal import Threads

/// Makes what the library can answer of a query.
struct QueryCompiler {
  let database: XapianDatabase
  let folders: FolderTable
  let labels: LabelTable
  let keywords: FolderKeywords
  /// What `account:` is held against; nil for an index without one.
  let account: String?
  /// The servers whose verdicts `auth:` is about.
  let servers: TrustedServers
  let folderNames: FolderNames
  /// Knows the forms of words; nil: every word is meant as it is.
  let stemmer: XapianStemmer?
  /// How many words a beginning may stand for.
  var wordLimit = Schema.wordLimit

  /// The fields that one of a query means, hidden recipients among those of To and Cc; most of them where it names none.
  private static func fields(_ field: TextField?) -> [TextField] {
    switch field {
    case nil: [.body, .subject, .from, .openTo, .bcc, .attachment]
    case .to: [.openTo, .bcc]
    case .cc: [.openCc, .bcc]
    case let field?: [field]
    }
  }

  /// Fields in which a word may stand in another form; names do not bend.
  private static let bending: [TextField] = [.body, .subject, .attachment]

  func compile(_ query: Query) throws(IndexError) -> XapianQuery {
    switch query {
    case .everything: return try .all()
    case .nothing: return try .none()
    case .word(let word, let field, let isExact):
      return try each(field) { (field) throws(IndexError) in
        try self.word(word, field, isExact: isExact)
      }
    case .phrase(let words, let field):
      return try each(field) { (field) throws(IndexError) in
        try phrase(MAGNUM_INDEX_PHRASE, words, field, window: words.count)
      }
    case .near(let words, let field, let distance, let isOrdered):
      let how = isOrdered ? MAGNUM_INDEX_PHRASE : MAGNUM_INDEX_NEAR
      return try each(field) { (field) throws(IndexError) in
        try phrase(how, words, field, window: distance + words.count - 1)
      }
    case .beginning(let word, let field):
      return try each(field) { (field) throws(IndexError) in
        try .beginning(Self.prefixed(word, field), database, limit: wordLimit)
      }
    case .wordless(let field): return try wordless(field)
    case .pattern(let pattern, let field): return try self.pattern(pattern, field)
    case .exact(let field, let value): return try exact(field, value)
    case .date(let range):
      return try self.range(
        Schema.Slot.date,
        range.first.map { Schema.date($0) },
        range.last.map { Schema.lastDate($0) }
      )
    case .size(let from, let to):
      return try range(
        Schema.Slot.size,
        from.map { Schema.size($0) },
        to.map { Schema.size($0) }
      )
    case .revision(let from, let to):
      return try range(Schema.Slot.revision, try revision(from), try revision(to))
    case .thread(let query): return try threads(of: query)
    case .and(let parts): return try conjunction(parts)
    case .or(let parts): return try .combine(MAGNUM_INDEX_OR, try parts.compiled(self))
    case .xor(let parts): return try .combine(MAGNUM_INDEX_XOR, try parts.compiled(self))
    case .not: return try conjunction([query])
    }
  }

  private func conjunction(_ parts: [Query]) throws(IndexError) -> XapianQuery {
    var wanted: [Query] = []
    var unwanted: [Query] = []
    for part in parts {
      if case .not(let query) = part { unwanted.append(query) } else { wanted.append(part) }
    }
    let found =
      wanted.isEmpty
      ? try XapianQuery.all()
      : try XapianQuery.combine(MAGNUM_INDEX_AND, try wanted.compiled(self))
    if unwanted.isEmpty { return found }
    let others = try XapianQuery.combine(MAGNUM_INDEX_OR, try unwanted.compiled(self))
    return try .combine(MAGNUM_INDEX_AND_NOT, [found, others])
  }

  // MARK: Words

  private func each(
    _ field: TextField?,
    _ query: (TextField) throws(IndexError) -> XapianQuery
  ) throws(IndexError) -> XapianQuery {
    var parts: [XapianQuery] = []
    for field in Self.fields(field) { parts.append(try query(field)) }
    return try .combine(MAGNUM_INDEX_OR, parts)
  }

  /// The term of a word in a field, or what the terms of words that begin so begin with.
  static func prefixed(_ word: [UInt8], _ field: TextField) -> [UInt8] {
    let prefix = Schema.prefix(field)
    return prefix == 0 ? word : [prefix] + word
  }

  private func word(
    _ word: [UInt8],
    _ field: TextField,
    isExact: Bool
  ) throws(IndexError) -> XapianQuery {
    guard !isExact, let stemmer, Self.bending.contains(field) else {
      return try .term(Self.prefixed(word, field), database)
    }
    var parts: [XapianQuery] = []
    for form in try stemmer.forms(of: word, Schema.prefix(field), database) {
      parts.append(try .term(form, database))
    }
    return try .combine(MAGNUM_INDEX_OR, parts)
  }

  private func phrase(
    _ how: magnum_index_operator,
    _ words: [[UInt8]],
    _ field: TextField,
    window: Int
  ) throws(IndexError) -> XapianQuery {
    let terms = words.map { Self.prefixed($0, field) }
    for term in terms where try database.frequency(term) == 0 { return try .none() }
    return try .phrase(how, terms, window: window)
  }

  // MARK: Facts

  private func range(
    _ slot: UInt32,
    _ low: [UInt8]?,
    _ high: [UInt8]?
  ) throws(IndexError) -> XapianQuery {
    if low == nil, high == nil { return try .all() }
    if let low, let high, high.lexicographicallyPrecedes(low) { return try .none() }
    return try .range(slot, low ?? [], high ?? [])
  }

  /// A revision as a value; a negative one counts from the newest.
  private func revision(_ number: Int64?) throws(IndexError) -> [UInt8]? {
    guard let number else { return nil }
    if number >= 0 { return Schema.revision(UInt64(number)) }
    let newest = try Schema.revision(of: database)
    return Schema.revision(newest - min(newest, number.magnitude))
  }

  /// The type of a part, whole or one half of it; `*` stands for the rest of a half.
  private func type(_ type: [UInt8]) throws(IndexError) -> XapianQuery {
    let any = [ASCII.slash, ASCII.asterisk]
    if type.suffix(2) == any { return try self.type([UInt8](type.dropLast(2))) }
    if type.starts(with: any.reversed()) { return try self.type([UInt8](type.dropFirst(2))) }
    guard type.last == ASCII.asterisk, type.count > 1 else {
      return try .term(Schema.term(Schema.Prefix.type, type), database)
    }
    return try .beginning([Schema.Prefix.type] + type.dropLast(), database)
  }

  /// A thread by its name, or by a former one: the key of the id of a message that it has or names.
  private func thread(_ name: [UInt8]) throws(IndexError) -> XapianQuery {
    let term = [Schema.Prefix.thread] + name
    if try database.frequency(term) == 0 {
      let link = Schema.link(LinkKey(rawValue: UInt64(octets: name)))
      if let first = try database.postings(link).first {
        let current = try database.value(first, Schema.Slot.thread)
        return try .term([Schema.Prefix.thread] + current, database)
      }
    }
    return try .term(term, database)
  }

  /// The messages that refer to one.
  private func referring(to id: [UInt8]) throws(IndexError) -> XapianQuery {
    let all = try XapianQuery.term(Schema.link(LinkKey(id: id)), database)
    return try .combine(MAGNUM_INDEX_AND_NOT, [all, try .id(id, database)])
  }

  private func exact(_ field: ExactField, _ value: [UInt8]) throws(IndexError) -> XapianQuery {
    let small = value.map { ASCII.lowercased($0) }
    switch field {
    case .tag: return try tag(small)
    case .id: return try .id(Self.withoutBrackets(value), database)
    case .thread: return try thread(Hex.decode(value) ?? [])
    case .folder: return try inFolders(folderNames.folders(named: value))
    case .path: return try path(value)
    case .mimetype: return try type(small)
    case .list: return try .term(Schema.term(Schema.Prefix.list, small), database)
    case .has: return try .term(Schema.term(Schema.Prefix.feature, small), database)
    case .account: return account?.utf8.elementsEqual(value) == true ? try .all() : try .none()
    case .file: return try file(value)
    case .ref: return try referring(to: Self.withoutBrackets(value))
    case .auth: return try verdict(small)
    }
  }

  private static func withoutBrackets(_ id: [UInt8]) -> [UInt8] {
    id.first == ASCII.lessThan && id.last == ASCII.greaterThan
      ? Array(id.dropFirst().dropLast()) : id
  }

  private func tag(_ name: [UInt8]) throws(IndexError) -> XapianQuery {
    switch String(decoding: name, as: UTF8.self) {
    case "*": return try anyTag()
    // The words of Maildir, IMAP and mu for the same.
    case "seen", "read": return try conjunction([.not(.exact(.tag, Array("unread".utf8)))])
    case "deleted": return try tag(.trashed)
    case "forwarded": return try tag(.passed)
    case "answered": return try tag(.replied)
    case "attach": return try tag(.attachment)
    case let word:
      let tag = Tag(rawValue: word)
      if Tag.own.contains(tag) { return try self.tag(tag) }
      return try .combine(MAGNUM_INDEX_OR, try keyword { $0.equalsCaseless(name) })
    }
  }

  private func anyTag() throws(IndexError) -> XapianQuery {
    try .combine(MAGNUM_INDEX_OR, try Tag.own.compiled(self) + keyword { _ in true })
  }

  /// What finds the messages with a keyword whose name is meant, one query for each label that stands for such.
  private func keyword(_ isMeant: ([UInt8]) -> Bool) throws(IndexError) -> [XapianQuery] {
    var parts: [XapianQuery] = []
    for (label, slot) in labels.all {
      if let name = keywords.name(label), isMeant(name) { parts.append(try .valued(slot)) }
    }
    return parts
  }

  /// The messages with a tag that is no keyword.
  func tag(_ tag: Tag) throws(IndexError) -> XapianQuery {
    if tag == .inbox {
      let lying = try inFolders(folders.names.indices.filter(folders.isInbox))
      let tagged = try keyword { $0 == TagName.inbox }
      return tagged.isEmpty ? lying : try .combine(MAGNUM_INDEX_OR, [lying] + tagged)
    }
    guard let slot = Schema.slot(tag) else { return try .term(Schema.tag(tag), database) }
    return try .valued(slot)
  }

  /// A file by its name, with or without flags, or by its path.
  private func file(_ value: [UInt8]) throws(IndexError) -> XapianQuery {
    let name = value.split(separator: ASCII.slash).last.map { [UInt8]($0) } ?? []
    let base = Maildir.FileName(name).base
    var found: Set<UInt32> = []
    for folder in folders.names.indices where !base.isEmpty {
      found.formUnion(try database.documents(of: base, in: folder))
    }
    return try .documents(found.sorted(), database)
  }

  // MARK: Folders

  private func inFolders(_ numbers: [Int]) throws(IndexError) -> XapianQuery {
    var parts: [XapianQuery] = []
    for number in numbers {
      if let slot = labels.known(.folder(number)) { parts.append(try .valued(slot)) }
    }
    return try .combine(MAGNUM_INDEX_OR, parts)
  }

  /// What lies in a folder, or in one of the two directories of messages in it.
  private func path(_ value: [UInt8]) throws(IndexError) -> XapianQuery {
    let trimmed = FolderWords.trimmed(value)
    let folder = FolderWords.withoutSubdirectory(trimmed)
    let isName = !folderNames.folders(named: trimmed).isEmpty
    if isName || folder == trimmed { return try inFolders(folderNames.folders(below: value)) }
    let isNew = trimmed.last == UInt8(ascii: "w")
    var found: Set<UInt32> = []
    for number in folderNames.folders(named: folder) {
      let start = Schema.paths(in: number) + [UInt8(ascii: isNew ? "n" : "c")]
      for key in try database.keys(start) {
        if let document = try database.document(key) { found.insert(document) }
      }
    }
    return try .documents(found.sorted(), database)
  }

  // MARK: Patterns and threads

  /// The messages whose field has nothing that can be searched for by words.
  private func wordless(_ field: TextField) throws(IndexError) -> XapianQuery {
    var scanner = WordScanner()
    var found: [UInt32] = []
    for number in try database.postings([]) {
      let record = try Record(database.data(number))
      let texts = field == .from ? record.from.map(\.text) : [record.subject]
      if texts.allSatisfy({ scanner.words($0).isEmpty }) { found.append(number) }
    }
    return try .documents(found, database)
  }

  private func pattern(
    _ text: [UInt8],
    _ field: PatternField
  ) throws(IndexError) -> XapianQuery {
    let pattern = try TextPattern(text)
    switch field {
    case .folder, .path:
      return try inFolders(folders.names.indices.filter { pattern.fits(folders.name($0)) })
    case .tag:
      var parts: [XapianQuery] = []
      for tag in Tag.own where pattern.fits(Array(tag.rawValue.utf8)) {
        parts.append(try self.tag(tag))
      }
      parts += try keyword { pattern.fits($0) }
      return try .combine(MAGNUM_INDEX_OR, parts)
    case .from, .subject, .id:
      var found: [UInt32] = []
      for number in try database.postings([]) {
        let record = try Record(database.data(number))
        let isFound =
          switch field {
          case .from: record.from.contains { pattern.fits($0.text) }
          case .id: pattern.fits(record.id)
          default: pattern.fits(record.subject)
          }
        if isFound { found.append(number) }
      }
      return try .documents(found, database)
    }
  }

  /// All messages of the threads in which something is found.
  private func threads(of query: Query) throws(IndexError) -> XapianQuery {
    let found = try database.search(
      try compile(query),
      order: MAGNUM_INDEX_UNSORTED,
      collapse: Schema.Slot.thread
    )
    var members: Set<UInt32> = []
    for thread in try database.values(found.sorted(), Schema.Slot.thread) {
      members.formUnion(try database.postings([Schema.Prefix.thread] + thread))
    }
    return try .documents(members.sorted(), database)
  }
}

extension [Tag] {
  fileprivate func compiled(_ compiler: QueryCompiler) throws(IndexError) -> [XapianQuery] {
    var result: [XapianQuery] = []
    for tag in self { result.append(try compiler.tag(tag)) }
    return result
  }
}

extension [Query] {
  fileprivate func compiled(_ compiler: QueryCompiler) throws(IndexError) -> [XapianQuery] {
    var result: [XapianQuery] = []
    for query in self { result.append(try compiler.compile(query)) }
    return result
  }
}
