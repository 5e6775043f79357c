internal import CXapian
package import Query
internal import Platform
package import Threads

/// An index as it was at one moment; for one thread at a time, and only within ``IndexReader/read(_:)``.
package final class IndexSnapshot {
  private let database: XapianDatabase
  private let folders: FolderTable
  private let compiler: QueryCompiler
  private let place: IndexPlace

  init(_ place: IndexPlace, account: String?, stemming: String?) throws(IndexError) {
    let number: Int?
    do throws(SystemError) { number = try place.currentGeneration() } catch { throw .system(error) }
    guard let number else { throw .notThere("no index in \(place.directory.display)") }
    self.place = place
    database = try XapianDatabase(place.generation(number))
    let schema = try database.metadata(Schema.Key.schema)
    let version = Int(String(decoding: schema, as: UTF8.self)) ?? 0
    if version > Schema.number { throw .newer(schema: version) }
    if version < Schema.number { throw .older(schema: version) }
    folders = FolderTable(try database.metadata(Schema.Key.folders))
    compiler = QueryCompiler(
      database: database,
      folders: folders,
      account: account,
      stemmer: try stemming.map { (language) throws(IndexError) in try XapianStemmer(language) }
    )
  }

  /// How many messages a query finds.
  package func count(_ query: Query) throws(IndexError) -> Int {
    if case .everything = query { return Int(try database.counts().count) }
    return try database.count(try compiler.compile(query))
  }

  /// In how many threads a query finds something.
  package func countThreads(_ query: Query) throws(IndexError) -> Int {
    try database.count(try compiler.compile(query), collapse: Schema.Slot.thread)
  }

  /// The messages that a query finds.
  package func messages(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [FoundMessage] {
    let numbers = try database.search(
      try compiler.compile(query),
      order: order.library,
      offset: offset,
      limit: limit
    )
    var result: [FoundMessage] = []
    result.reserveCapacity(numbers.count)
    for number in numbers { result.append(try message(number, isMatch: true)) }
    return result
  }

  /// The Message-IDs of what a query finds.
  package func ids(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [(id: [UInt8], date: Int64)] {
    let numbers = try database.search(
      try compiler.compile(query),
      order: order.library,
      offset: offset,
      limit: limit
    )
    var result: [(id: [UInt8], date: Int64)] = []
    result.reserveCapacity(numbers.count)
    for number in numbers { result.append(try Record.head(database.data(number))) }
    return result
  }

  /// The threads in which a query finds something, by the newest (or oldest) message found.
  package func threads(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [FoundThread] {
    let found = try compiler.compile(query)
    let heads = try database.search(
      found,
      order: order.library,
      collapse: Schema.Slot.thread,
      offset: offset,
      limit: limit
    )
    var names: [ThreadID] = []
    var members: [[UInt32]] = []
    for head in heads {
      let name = try database.value(head, Schema.Slot.thread)
      names.append(ThreadID(rawValue: Schema.number(name)))
      members.append(try database.postings([Schema.Prefix.thread] + name))
    }
    let matches = try self.matches(found, among: members)
    var result: [FoundThread] = []
    for (name, numbers) in zip(names, members) {
      var messages: [FoundMessage] = []
      for number in numbers {
        messages.append(try message(number, isMatch: matches.contains(number)))
      }
      messages.sort { $0.member.precedes($1.member) }
      result.append(FoundThread(id: name, messages: messages))
    }
    return result
  }

  /// The names of the threads in which a query finds something.
  package func threadIDs(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [(id: ThreadID, date: Int64)] {
    let heads = try database.search(
      try compiler.compile(query),
      order: order.library,
      collapse: Schema.Slot.thread,
      offset: offset,
      limit: limit
    )
    var result: [(id: ThreadID, date: Int64)] = []
    for head in heads {
      let name = Schema.number(try database.value(head, Schema.Slot.thread))
      result.append((ThreadID(rawValue: name), try Record.head(database.data(head)).date))
    }
    return result
  }

  /// Which of some documents a query finds.
  private func matches(
    _ query: XapianQuery,
    among members: [[UInt32]]
  ) throws(IndexError) -> Set<UInt32> {
    let all = try XapianQuery.documents(members.joined().sorted())
    let both = try XapianQuery.combine(MAGNUM_INDEX_AND, [all, query])
    return Set(try database.search(both, order: MAGNUM_INDEX_UNSORTED))
  }

  private func message(_ number: UInt32, isMatch: Bool) throws(IndexError) -> FoundMessage {
    let record = try Record(database.data(number))
    let thread = Schema.number(try database.value(number, Schema.Slot.thread))
    var tags = record.tags
    if record.files.contains(where: { folders.isInbox($0.folder) }) { tags.insert(.inbox) }
    return FoundMessage(
      id: record.id,
      thread: ThreadID(rawValue: thread),
      date: record.date,
      size: record.size,
      subject: record.subject,
      from: record.from,
      to: record.to,
      cc: record.cc,
      snippet: record.snippet,
      tags: tags.sorted(),
      files: record.files.map { file in
        let name = folders.name(file.folder)
        return FoundFile(
          maildir: place.root.appending(name),
          folder: FolderWords.display(name),
          file: file.scanned
        )
      },
      isMatch: isMatch,
      member: record.member,
      content: record.content
    )
  }
}
