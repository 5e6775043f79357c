package import Configuration
package import Platform
package import Query
package import Threads

/// Several indexes searched as one: a message that lies in two of them is one result, and so is a thread.
package struct SearchSet: Sendable {
  package let readers: [IndexReader]

  /// Indexes on other machines that are searched too.
  package var archives: [any SearchSource] = []

  /// The indexes of this machine alone.
  package var withoutArchives: SearchSet { SearchSet(readers) }

  package init(_ readers: [IndexReader]) {
    self.readers = readers
  }

  /// The indexes of accounts.
  ///
  /// - Throws: ENOENT where the Maildir of one is missing.
  package init(_ accounts: [Account], stemming: String?) throws(SystemError) {
    var readers: [IndexReader] = []
    for account in accounts {
      readers.append(try IndexReader(of: account, stemming: stemming))
    }
    self.readers = readers
  }

  /// Accounts that are not searched, and why.
  package private(set) var leftOut: SearchedAccounts?

  /// The indexes of those accounts that have one; those that do not are left out.
  ///
  /// - Throws: ENOENT where the Maildir of one is missing that is not to be left out.
  package init(_ searched: SearchedAccounts, stemming: String?) throws(SystemError) {
    try self.init(searched.accounts, stemming: stemming)
    leftOut = searched
  }

  package init(_ place: IndexPlace) {
    readers = [IndexReader(place, account: "", stemming: nil)]
  }

  /// How far the index has come; nil for several, which have no revision in common.
  ///
  /// - Throws: why it cannot be read.
  package func revision() throws(IndexError) -> IndexRevision? {
    guard readers.count == 1 else { return nil }
    return try readers[0].read { (snapshot) throws(IndexError) in try snapshot.revision() }
  }

  /// How many messages a query finds.
  ///
  /// - Throws: why an index cannot be read.
  package func count(_ query: Query) throws(IndexError) -> Int {
    if let only {
      return try only.read { (snapshot) throws(IndexError) in try snapshot.count(query) }
    }
    return try joined { (search) throws(IndexError) in try search.count(query) }
  }

  /// In how many threads a query finds something.
  ///
  /// - Throws: why an index cannot be read.
  package func countThreads(_ query: Query) throws(IndexError) -> Int {
    if let only {
      return try only.read { (snapshot) throws(IndexError) in try snapshot.countThreads(query) }
    }
    return try threads(query, .unsorted, detail: .list).count
  }

  /// How many messages of each thread a query finds; a thread that goes through several indexes is there by each of its names.
  ///
  /// - Throws: why an index cannot be read.
  package func threadSizes(_ query: Query) throws(IndexError) -> [ThreadID: Int] {
    if let only {
      return try only.read { (snapshot) throws(IndexError) in try snapshot.threadSizes(query) }
    }
    var sizes: [ThreadID: Int] = [:]
    for thread in try threads(query, .unsorted, detail: .list) {
      let count = thread.messages.count { $0.isMatch }
      for id in Set(thread.messages.map(\.thread)).union([thread.id]) { sizes[id] = count }
    }
    return sizes
  }

  /// The messages that a query finds.
  ///
  /// - Throws: why an index cannot be read.
  package func messages(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [FoundMessage] {
    if let only {
      return try only.read { (snapshot) throws(IndexError) in
        try snapshot.messages(query, order, offset: offset, limit: limit)
      }
    }
    let wanted = MergedResults.sum(offset, limit)
    let merged = try merged(query, order, limit: wanted)
    let page = MergedResults.slice(merged.messages, offset, limit)
    if merged.isAll || page.isEmpty { return page }
    // Copies of them may come behind all that was asked of another index.
    var whole: [FoundMessage] = []
    for start in stride(from: 0, to: page.count, by: Self.idLimit) {
      whole += try withCopies(Array(page[start...].prefix(Self.idLimit)), query, order)
    }
    return whole
  }

  /// Of so many Message-IDs one query is about.
  private static let idLimit = 1000

  /// These messages with all their copies that a query finds.
  private func withCopies(
    _ messages: [FoundMessage],
    _ query: Query,
    _ order: SearchOrder
  ) throws(IndexError) -> [FoundMessage] {
    let ids = Set(messages.map(\.id)).map { Query.exact(.id, $0) }
    let all = try merged(.and([query, .or(ids)]), order, limit: .max).messages
    let places = Dictionary(all.enumerated().map { ($1.identity, $0) }) { first, _ in first }
    return messages.map { message in places[message.identity].map { all[$0] } ?? message }
  }

  /// The first messages of all indexes, copies made one, and whether they are all that there are.
  private func merged(
    _ query: Query,
    _ order: SearchOrder,
    limit: Int
  ) throws(IndexError) -> (messages: [FoundMessage], isAll: Bool) {
    let lists = try joined { (search) throws(IndexError) in
      try search.messages(query, order, limit: limit)
    }
    let ordered = MergedResults.ordered(lists, order) { MessageMoment($0) }
    return (MergedResults.withoutCopies(ordered), lists.allSatisfy { $0.count < limit })
  }

  /// The Message-IDs of what a query finds, each once.
  ///
  /// - Throws: why an index cannot be read.
  package func ids(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [[UInt8]] {
    let found = try ids(query, order, limit: MergedResults.sum(offset, limit))
    return found.dropFirst(offset).map(\.id)
  }

  /// The first of them, with the dates by which they are ordered.
  ///
  /// Each index names its own each once, so that the first of all are among the first of each.
  func ids(
    _ query: Query,
    _ order: SearchOrder,
    limit: Int
  ) throws(IndexError) -> [FoundID] {
    if let only {
      return try only.read { (snapshot) throws(IndexError) in
        try snapshot.ids(query, order, limit: limit)
      }
    }
    let lists = try joined { (search) throws(IndexError) in
      try search.ids(query, order, limit: limit)
    }
    var seen: Set<[UInt8]> = []
    let merged = MergedResults.ordered(lists, order) {
      MessageMoment(date: $0.date, key: LinkKey(id: $0.id))
    }
    return Array(merged.filter { seen.insert($0.id).inserted }.prefix(limit))
  }

  /// The names of the threads in which a query finds something.
  ///
  /// - Throws: why an index cannot be read.
  package func threadIDs(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max
  ) throws(IndexError) -> [String] {
    guard let only else {
      let found = try threads(query, order, offset: offset, limit: limit, detail: .list)
      return found.map(\.id.description)
    }
    let names = try only.read { (snapshot) throws(IndexError) in
      try snapshot.threadIDs(query, order, offset: offset, limit: limit)
    }
    return names.map(\.id.description)
  }

  /// The threads in which a query finds something.
  ///
  /// - Throws: why an index cannot be read.
  package func threads(
    _ query: Query,
    _ order: SearchOrder,
    offset: Int = 0,
    limit: Int = .max,
    detail: ResultDetail = .all
  ) throws(IndexError) -> [FoundThread] {
    if let only {
      return try only.read { (snapshot) throws(IndexError) in
        try snapshot.threads(query, order, offset: offset, limit: limit, detail: detail)
      }
    }
    let wanted = MergedResults.sum(offset, limit)
    let found = try joined { (search) throws(IndexError) in
      try search.threads(query, order, limit: wanted, detail: detail)
    }
    return MergedResults.slice(found, offset, limit)
  }

  /// Queries for each index alone, in which threads that go through several of them are named by all names that they have
  /// there.
  ///
  /// - Throws: why an index cannot be read.
  package func resolved(_ queries: [Query]) throws(IndexError) -> [Query] {
    if only != nil { return queries }
    return try joined { (search) throws(IndexError) in try search.resolved(together: queries) }
  }

  /// The files of the first messages that a query finds, those of each message side by side.
  ///
  /// - Throws: why an index cannot be read.
  package func files(
    _ query: Query,
    _ order: SearchOrder,
    limit: Int = .max
  ) throws(IndexError) -> [FoundFile] {
    guard let only else { return try messages(query, order, limit: limit).flatMap(\.files) }
    return try only.read { (snapshot) throws(IndexError) in
      try snapshot.files(of: query, order, limit: limit)
    }
  }

  /// The tags of what a query finds.
  ///
  /// - Throws: why an index cannot be read.
  package func tags(_ query: Query) throws(IndexError) -> Set<Tag> {
    // Other machines are not asked for tags alone.
    guard archives.isEmpty else { return Set(try messages(query, .unsorted).flatMap(\.tags)) }
    var tags: Set<Tag> = []
    for query in try resolved([query]) {
      for reader in readers {
        let found = try reader.read { (snapshot) throws(IndexError) in
          try snapshot.tags(of: query)
        }
        tags.formUnion(found)
      }
    }
    return tags
  }

  /// The senders and receivers of what a query finds, in the order in which they first come, with how often they come; nil where
  /// copies in several indexes have to be made one first.
  ///
  /// - Throws: why the index cannot be read.
  package func people(
    _ query: Query,
    _ order: SearchOrder,
    _ fields: PeopleFields
  ) throws(IndexError) -> [(person: Person, count: Int)]? {
    try only.map { (reader) throws(IndexError) in
      try reader.read { (snapshot) throws(IndexError) in
        try snapshot.people(of: query, order, fields)
      }
    }
  }

  /// The senders and receivers of each of the newest messages that a query finds.
  ///
  /// - Throws: why an index cannot be read.
  package func people(
    ofNewest query: Query,
    limit: Int
  ) throws(IndexError) -> [FoundPeople] {
    guard let only else {
      return try messages(query, .newestFirst, limit: limit).map { FoundPeople($0) }
    }
    return try only.read { (snapshot) throws(IndexError) in
      try snapshot.people(ofNewest: query, limit: limit)
    }
  }

  /// The tags that messages have, and the folders, as people know them.
  ///
  /// - Throws: why an index cannot be read.
  package func vocabulary() throws(IndexError) -> (tags: Set<Tag>, folders: Set<[UInt8]>) {
    var (tags, folders): (Set<Tag>, Set<[UInt8]>) = ([], [])
    for reader in readers {
      let words = try reader.read { (snapshot) throws(IndexError) in
        (try snapshot.tags(of: .everything), snapshot.folderNames())
      }
      tags.formUnion(words.0)
      folders.formUnion(words.1)
    }
    return (tags, folders)
  }

  /// The folders that have been indexed, each with its index: as directories below the Maildir of that.
  ///
  /// - Throws: why an index cannot be read.
  package func folderPaths() throws(IndexError) -> [(reader: IndexReader, path: [UInt8])] {
    var folders: [(reader: IndexReader, path: [UInt8])] = []
    for reader in readers {
      let paths = try reader.read { (snapshot) throws(IndexError) in snapshot.folderPaths }
      folders += paths.map { (reader, $0) }
    }
    return folders
  }

  /// The same indexes, in which a beginning may stand for any number of words.
  package var withoutWordLimit: SearchSet {
    SearchSet(
      readers.map { reader in
        var reader = reader
        reader.hasNoWordLimit = true
        return reader
      }
    )
  }

  /// Whether words of these fields that begin so are more than that many in one of the indexes.
  ///
  /// - Throws: why an index cannot be read.
  package func hasMoreWords(
    than count: Int,
    beginning start: [UInt8],
    in fields: [TextField]
  ) throws(IndexError) -> Bool {
    for reader in readers {
      let hasMore = try reader.read { (snapshot) throws(IndexError) in
        try snapshot.hasMoreWords(than: count, beginning: start, in: fields)
      }
      if hasMore { return true }
    }
    return false
  }

  // MARK: Several made one

  /// The index that is all there is to search; nil where there are several, or archives.
  var only: IndexReader? { archives.isEmpty && readers.count == 1 ? readers[0] : nil }

  /// Asks several indexes, here and on other machines, together; again, where one of those is out by then, without it.
  func joined<Result>(
    _ body: (JoinedSearch) throws(IndexError) -> Result
  ) throws(IndexError) -> Result {
    while true {
      let sources = ((readers as [any SearchSource]) + archives).filter { !$0.isOut }
      let result = try body(JoinedSearch(sources: sources, isLocal: archives.isEmpty))
      if sources.allSatisfy({ !$0.isOut }) { return result }
    }
  }
}
