package import Configuration
package import Platform
package import Query
internal import Threads

/// Several indexes searched as one: what lies in two of them is one result.
package struct SearchSet: Sendable {
  /// The indexes.
  package let readers: [IndexReader]

  /// Indexes on other machines that are searched too.
  package var archives: [any SearchSource] = []

  /// The indexes of this machine alone.
  package var withoutArchives: SearchSet { SearchSet(readers) }

  /// These indexes.
  package init(_ readers: [IndexReader]) {
    self.readers = readers
  }

  /// The indexes of accounts.
  ///
  /// - Throws: ENOENT where the Maildir of one is missing.
  package init(_ accounts: [Account], stemming: String?) throws(SystemError) {
    var readers: [IndexReader] = []
    for account in accounts {
      let place = try IndexPlace.of(account.maildir)
      readers.append(IndexReader(place, account: account.name, stemming: stemming))
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

  /// The index of one place.
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
    if !archives.isEmpty {
      return try joined { (search) throws(IndexError) in try search.count(query) }
    }
    if readers.count == 1 {
      return try readers[0].read { (snapshot) throws(IndexError) in try snapshot.count(query) }
    }
    return try messages(query, .unsorted).count
  }

  /// In how many threads a query finds something.
  ///
  /// - Throws: why an index cannot be read.
  package func countThreads(_ query: Query) throws(IndexError) -> Int {
    if !archives.isEmpty { return try threads(query, .unsorted, detail: .list).count }
    if readers.count == 1 {
      return try readers[0].read { (snapshot) throws(IndexError) in
        try snapshot.countThreads(query)
      }
    }
    return Set(try threadIDs(query, .unsorted)).count
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
    let lists: [[FoundMessage]]
    if archives.isEmpty {
      lists = try each(offset, limit) { (snapshot, offset, limit) throws(IndexError) in
        try snapshot.messages(query, order, offset: offset, limit: limit)
      }
      if lists.count == 1 { return lists[0] }
    } else {
      let wanted = Self.sum(offset, limit)
      lists = try joined { (search) throws(IndexError) in
        try search.messages(query, order, limit: wanted)
      }
    }
    let merged = Self.merged(lists, order) { $0.date }
    return Self.slice(Self.withoutCopies(merged), offset, limit)
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
    let lists: [[FoundID]]
    if archives.isEmpty {
      lists = try each(offset, limit) { (snapshot, offset, limit) throws(IndexError) in
        try snapshot.ids(query, order, offset: offset, limit: limit)
          .map { FoundID(id: $0.id, date: $0.date) }
      }
    } else {
      let wanted = Self.sum(offset, limit)
      lists = try joined { (search) throws(IndexError) in
        try search.ids(query, order, limit: wanted)
      }
    }
    var seen: Set<[UInt8]> = []
    let merged = Self.merged(lists, order) { $0.date }.map(\.id).filter { seen.insert($0).inserted }
    let isOne = archives.isEmpty && lists.count == 1
    return isOne ? merged : Self.slice(merged, offset, limit)
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
    if !archives.isEmpty {
      let found = try threads(query, order, offset: offset, limit: limit, detail: .list)
      return found.map(\.id.description)
    }
    let lists = try each(offset, limit) { (snapshot, offset, limit) throws(IndexError) in
      try snapshot.threadIDs(query, order, offset: offset, limit: limit)
    }
    var seen: Set<ThreadID> = []
    let merged = Self.merged(lists, order) { $0.date }.map(\.id).filter { seen.insert($0).inserted }
    let names = lists.count == 1 ? merged : Self.slice(merged, offset, limit)
    return names.map(\.description)
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
    if !archives.isEmpty {
      let wanted = Self.sum(offset, limit)
      let found = try joined { (search) throws(IndexError) in
        try search.threads(query, order, limit: wanted, detail: detail)
      }
      return Self.slice(found, offset, limit)
    }
    let lists = try each(offset, limit) { (snapshot, offset, limit) throws(IndexError) in
      try snapshot.threads(query, order, offset: offset, limit: limit, detail: detail)
    }
    if lists.count == 1 { return lists[0] }
    let merged = Self.merged(lists, order) { thread in
      let dates = thread.matches.map(\.date)
      return (order == .oldestFirst ? dates.min() : dates.max()) ?? 0
    }
    return Self.slice(Self.joined(merged), offset, limit)
  }

  /// The tags that messages have, and the folders, as people know them.
  ///
  /// - Throws: why an index cannot be read.
  package func vocabulary() throws(IndexError) -> (tags: Set<Tag>, folders: Set<[UInt8]>) {
    var (tags, folders): (Set<Tag>, Set<[UInt8]>) = ([], [])
    for reader in readers {
      let words = try reader.read { (snapshot) throws(IndexError) in
        (try snapshot.tags(), snapshot.folderNames())
      }
      tags.formUnion(words.0)
      folders.formUnion(words.1)
    }
    return (tags, folders)
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

  /// Answers what another machine asks of these indexes.
  ///
  /// - Throws: why an index cannot be read.
  package func answer(_ request: SearchRequest) throws(IndexError) -> SearchAnswer {
    switch request {
    case .count(let query): return .count(try count(query))
    case .identities(let query):
      return .identities(try messages(query, .unsorted).map(\.identity))
    case .messages(let query, let order, let limit):
      return .messages(try messages(query, order, limit: limit))
    case .ids(let query, let order, let limit):
      // Those of copies too: which of them are one is decided where all come together.
      let lists = try each(0, limit) { (snapshot, _, limit) throws(IndexError) in
        try snapshot.ids(query, order, limit: limit).map { FoundID(id: $0.id, date: $0.date) }
      }
      return .ids(Self.slice(Self.merged(lists, order) { $0.date }, 0, limit))
    case .threads(let query, let order, let limit, let detail):
      return .threads(try threads(query, order, limit: limit, detail: detail))
    case .linked(let keys, let query, let detail):
      let lists = try each(0, .max) { (snapshot, _, _) throws(IndexError) in
        try snapshot.threads(linkedTo: keys, query, detail: detail)
      }
      return .threads(Self.joined(lists.flatMap { $0 }))
    }
  }

  /// Asks indexes here and on other machines together; again, where one of those is out by then, without it.
  private func joined<Result>(
    _ body: (JoinedSearch) throws(IndexError) -> Result
  ) throws(IndexError) -> Result {
    while true {
      let sources = ((readers as [any SearchSource]) + archives).filter { !$0.isOut }
      let result = try body(JoinedSearch(sources: sources))
      if sources.allSatisfy({ !$0.isOut }) { return result }
    }
  }

  private static func sum(_ offset: Int, _ limit: Int) -> Int {
    let (sum, isTooLarge) = offset.addingReportingOverflow(limit)
    return isTooLarge ? .max : sum
  }

  /// Asks each index; of several, as many as the caller may need of each.
  private func each<Item>(
    _ offset: Int,
    _ limit: Int,
    _ body: (IndexSnapshot, Int, Int) throws(IndexError) -> [Item]
  ) throws(IndexError) -> [[Item]] {
    let isOne = readers.count == 1
    let (sum, isTooLarge) = offset.addingReportingOverflow(limit)
    var lists: [[Item]] = []
    for reader in readers {
      lists.append(
        try reader.read { (snapshot) throws(IndexError) in
          try body(snapshot, isOne ? offset : 0, isOne ? limit : isTooLarge ? .max : sum)
        }
      )
    }
    return lists
  }

  private static func merged<Item>(
    _ lists: [[Item]],
    _ order: SearchOrder,
    _ date: (Item) -> Int64
  ) -> [Item] {
    if lists.count == 1 { return lists[0] }
    let all = lists.flatMap { $0 }
    if order == .unsorted { return all }
    let places = all.indices.sorted { one, other in
      let (left, right) = (date(all[one]), date(all[other]))
      if left == right { return one < other }
      return order == .newestFirst ? left > right : left < right
    }
    return places.map { all[$0] }
  }

  private static func slice<Item>(_ items: [Item], _ offset: Int, _ limit: Int) -> [Item] {
    Array(items.dropFirst(offset).prefix(limit))
  }

  private struct Identity: Hashable {
    let id: [UInt8]
    let content: UInt64
  }

  /// Copies of one message made one, with the files and tags of all.
  static func withoutCopies(_ messages: [FoundMessage]) -> [FoundMessage] {
    var places: [Identity: Int] = [:]
    var result: [FoundMessage] = []
    for message in messages {
      let identity = Identity(id: message.id, content: message.content)
      guard let place = places[identity] else {
        places[identity] = result.count
        result.append(message)
        continue
      }
      result[place].files += message.files
      result[place].copies += message.copies
      result[place].tags = Set(result[place].tags + message.tags).sorted()
    }
    return result
  }

  /// Threads of one name made one.
  private static func joined(_ threads: [FoundThread]) -> [FoundThread] {
    var places: [ThreadID: Int] = [:]
    var result: [FoundThread] = []
    for thread in threads {
      guard let place = places[thread.id] else {
        places[thread.id] = result.count
        result.append(thread)
        continue
      }
      let all = (result[place].messages + thread.messages).sorted { $0.member.precedes($1.member) }
      result[place].messages = withoutCopies(all)
    }
    return result
  }
}
