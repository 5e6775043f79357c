internal import CXapian
internal import MailModel
package import Query
internal import Platform
package import Threads
internal import Octets

/// An index as it was at one moment; for one thread at a time, and only within ``IndexReader/read(_:)``.
package final class IndexSnapshot {
  let database: XapianDatabase
  let folders: FolderTable
  let labels: LabelTable
  let keywords: FolderKeywords
  let compiler: QueryCompiler
  let place: IndexPlace
  /// Where each folder is, and what people call it, once it was asked for.
  var folderWords: [Int: (maildir: Path, display: [UInt8])] = [:]

  init(
    _ place: IndexPlace,
    account: String?,
    stemming: String?,
    servers: TrustedServers,
    wordLimit: Int = Schema.wordLimit
  ) throws(IndexError) {
    let number: Int?
    do throws(SystemError) { number = try place.currentGeneration() } catch { throw .system(error) }
    guard let number else { throw .notThere("no index in \(place.directory.display)") }
    self.place = place
    database = try Generation(place.generation(number)).open()
    folders = FolderTable(try database.metadata(Schema.Key.folders))
    labels = LabelTable(try database.metadata(Schema.Key.labels))
    keywords = FolderKeywords(folders, place.root)
    compiler = QueryCompiler(
      database: database,
      folders: folders,
      labels: labels,
      keywords: keywords,
      account: account,
      servers: servers,
      folderNames: FolderNames(folders, account),
      stemmer: try stemming.map { (language) throws(IndexError) in try XapianStemmer(language) },
      wordLimit: wordLimit
    )
  }

  /// How far the index has come.
  package func revision() throws(IndexError) -> IndexRevision {
    let uuid = try database.metadata(Schema.Key.uuid, MAGNUM_INDEX_MAIN)
    return IndexRevision(
      uuid: String(decoding: uuid, as: UTF8.self),
      number: try Schema.revision(of: database)
    )
  }

  /// How many messages a query finds.
  package func count(_ query: Query) throws(IndexError) -> Int {
    if case .everything = query { return Int(try database.counts().count) }
    return try database.count(try compiler.compile(query))
  }

  /// In how many threads a query finds something.
  package func countThreads(_ query: Query) throws(IndexError) -> Int {
    if case .everything = query { return try database.terms([Schema.Prefix.thread]).count }
    return try database.count(try compiler.compile(query), collapse: Schema.Slot.thread)
  }

  /// How many messages of each thread a query finds.
  package func threadSizes(_ query: Query) throws(IndexError) -> [ThreadID: Int] {
    let numbers = try database.search(
      try compiler.compile(query),
      order: SearchOrder.unsorted.library
    )
    var sizes: [ThreadID: Int] = [:]
    for thread in try threads(of: numbers) { sizes[thread, default: 0] += 1 }
    return sizes
  }

  /// The messages that a query finds.
  package func messages(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [FoundMessage] {
    let numbers = try found(
      try compiler.compile(query),
      order,
      offset: offset,
      limit: limit
    )
    let names = try threads(of: numbers)
    return try readDocuments(numbers) { (place) throws(IndexError) in
      try message(numbers[place], names[place], isMatch: true, .all)
    }
  }

  /// The Message-IDs of what a query finds, each once, with the date of the first message that has it.
  package func ids(
    _ query: Query,
    _ order: SearchOrder,
    limit: Int = .max
  ) throws(IndexError) -> [FoundID] {
    let compiled = try compiler.compile(query)
    var (ids, seen): ([FoundID], Set<[UInt8]>) = ([], [])
    var offset = 0
    while ids.count < limit {
      // Messages with one and the same id take the places of others: then more are looked for, each time as many as before.
      let asked = max(limit - ids.count, offset)
      let numbers = try found(compiled, order, offset: offset, limit: asked)
      let heads = try readDocuments(numbers) { (place) throws(IndexError) in
        try Record.head(database.data(numbers[place]))
      }
      for (id, date) in heads where seen.insert(id).inserted {
        ids.append(FoundID(id: id, date: date))
      }
      if numbers.count < asked { break }
      offset += numbers.count
    }
    return Array(ids.prefix(limit))
  }

  /// The threads in which a query finds something, by the newest (or oldest) message found.
  package func threads(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max,
    detail: ResultDetail = .all
  ) throws(IndexError) -> [FoundThread] {
    let found = try compiler.compile(query)
    let heads = try heads(found, order, offset: offset, limit: limit)
    return try whole(heads.map(\.1), found, detail)
  }

  /// The threads with messages that have or name one of these ids, and which of their messages a query finds.
  package func threads(
    linkedTo keys: [LinkKey],
    _ query: Query,
    detail: ResultDetail
  ) throws(IndexError) -> [FoundThread] {
    var names: Set<ThreadID> = []
    for key in keys {
      // All that share an id are in one thread.
      guard let first = try database.postings(Schema.link(key)).first else { continue }
      names.formUnion(try threads(of: [first]))
    }
    return try whole(names.sorted(), try compiler.compile(query), detail)
  }

  /// Threads with all their messages.
  private func whole(
    _ names: [ThreadID],
    _ found: XapianQuery,
    _ detail: ResultDetail
  ) throws(IndexError) -> [FoundThread] {
    var members: [[UInt32]] = []
    for name in names { members.append(try database.postings(Schema.thread(name))) }
    let matches = try self.matches(found, among: members)
    let owners = zip(names, members).flatMap { name, numbers in numbers.map { _ in name } }
    let numbers = members.flatMap { $0 }
    var messages = try readDocuments(numbers) { (place) throws(IndexError) in
      let number = numbers[place]
      return try message(number, owners[place], isMatch: matches.contains(number), detail)
    }[...]
    return zip(names, members).map { name, members in
      defer { messages = messages.dropFirst(members.count) }
      let own = messages.prefix(members.count).sorted { $0.member.precedes($1.member) }
      return FoundThread(id: name, messages: own)
    }
  }

  /// The names of the threads in which a query finds something.
  package func threadIDs(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [(id: ThreadID, date: Int64)] {
    let found = try compiler.compile(query)
    let heads = try heads(found, order, offset: offset, limit: limit)
    return try readDocuments(heads.map(\.0)) { (place) throws(IndexError) in
      (heads[place].1, try Record.head(database.data(heads[place].0)).date)
    }
  }

  /// Threads, each with the first message found in it.
  ///
  /// The library can collapse threads itself, but looks at the thread of all that is found then. Where few are wanted,
  /// some more messages than that are asked for first.
  private func heads(
    _ query: XapianQuery,
    _ order: SearchOrder,
    offset: Int,
    limit: Int
  ) throws(IndexError) -> [(UInt32, ThreadID)] {
    let (wanted, isTooMany) = offset.addingReportingOverflow(limit)
    if isTooMany || wanted > 2000 { return try collapsed(query, order, offset, limit) }
    var messages = wanted * 4 + 20
    var seen: Set<ThreadID> = []
    var result: [(UInt32, ThreadID)] = []
    var known = 0
    while messages <= 50_000 {
      let numbers = try found(query, order, offset: 0, limit: messages)
      let fresh = Array(numbers.dropFirst(known))
      for (number, name) in zip(fresh, try threads(of: fresh))
      where result.count < wanted && seen.insert(name).inserted {
        result.append((number, name))
      }
      if result.count == wanted || numbers.count < messages {
        return Array(result.dropFirst(offset))
      }
      known = numbers.count
      messages *= 4
    }
    return try collapsed(query, order, offset, limit)
  }

  /// The documents that a query finds.
  func found(
    _ query: XapianQuery,
    _ order: SearchOrder,
    offset: Int,
    limit: Int
  ) throws(IndexError) -> [UInt32] {
    let (wanted, isTooMany) = offset.addingReportingOverflow(limit)
    if order == .newestFirst, !isTooMany, wanted <= Self.fewest,
      let newest = try newest(query, wanted)
    {
      return Array(newest.dropFirst(offset))
    }
    return try database.search(query, order: order.library, offset: offset, limit: limit)
  }

  /// Up to so many, the newest are looked for among the newest first.
  private static let fewest = 1000

  /// The newest that a query finds; nil where that cannot be told without looking at all.
  ///
  /// A number without a document has no date, and so is never taken for one of them.
  private func newest(_ query: XapianQuery, _ count: Int) throws(IndexError) -> [UInt32]? {
    guard count > 0 else { return nil }
    let bounds = DateBounds(try database.metadata(Schema.Key.bounds, MAGNUM_INDEX_MAIN))
    let end = try database.counts().last
    var seen: (count: Int, span: Int)?
    for (first, before) in bounds.windows where first <= end {
      let span = Int(end - first) + 1
      // Where a smaller part has so few that this one is not likely to have enough, looking at it is in vain.
      if let seen, seen.count * span * 2 < count * seen.span { continue }
      let late = try XapianQuery.documents(Array(first...end), database)
      let both = try XapianQuery.combine(MAGNUM_INDEX_AND, [late, query])
      let found = try database.search(both, order: SearchOrder.newestFirst.library, limit: count)
      seen = (found.count, span)
      guard found.count == count, let last = found.last else { continue }
      let date = try database.value(last, Schema.Slot.date)
      // One of the same second may come before it.
      if before.lexicographicallyPrecedes(date.prefix(before.count)) { return found }
    }
    return nil
  }

  private func collapsed(
    _ query: XapianQuery,
    _ order: SearchOrder,
    _ offset: Int,
    _ limit: Int
  ) throws(IndexError) -> [(UInt32, ThreadID)] {
    let numbers = try database.search(
      query,
      order: order.library,
      collapse: Schema.Slot.thread,
      offset: offset,
      limit: limit
    )
    return Array(zip(numbers, try threads(of: numbers)))
  }

  /// Which of some documents a query finds.
  private func matches(
    _ query: XapianQuery,
    among members: [[UInt32]]
  ) throws(IndexError) -> Set<UInt32> {
    let all = try XapianQuery.documents(members.joined().sorted(), database)
    let both = try XapianQuery.combine(MAGNUM_INDEX_AND, [all, query])
    return Set(try database.search(both, order: MAGNUM_INDEX_UNSORTED))
  }
}
