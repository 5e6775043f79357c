internal import Octets
internal import Query
internal import Threads

/// Several indexes, of this machine and of others, searched as one.
///
/// Messages are the same where id and content are; parts of a thread belong together where they share an id, as Message-ID or as
/// one that is named, through however many indexes. A source that is out while something is answered is left out of all of it.
struct JoinedSearch {
  let sources: [any SearchSource]
  /// Whether all of them are of this machine, and so are not held to limits.
  let isLocal: Bool

  /// Threads of which a query is about others at most.
  private var threadLimit: Int { isLocal ? .max - 1 : 10_000 }
  /// How often all are asked for more of the same threads: those of honest sources end after a few times.
  private var roundLimit: Int { isLocal ? .max : 100 }

  /// A part of a thread: what one source has of it.
  private struct Piece {
    let source: Int
    let thread: FoundThread
  }

  /// The answers of all sources that are not out, each with its place.
  private func answers(
    _ requests: [Int: SearchRequest]
  ) throws(IndexError) -> [(source: Int, answer: SearchAnswer)] {
    let order = requests.keys.sorted()
    let waits = order.map { place in requests[place].map { sources[place].begin($0) } }
    var answers: [(source: Int, answer: SearchAnswer)] = []
    for (place, wait) in zip(order, waits) {
      if let wait, let answer = try wait() { answers.append((place, answer)) }
    }
    return answers
  }

  private func answers(
    of all: SearchRequest
  ) throws(IndexError) -> [(source: Int, answer: SearchAnswer)] {
    try answers(Dictionary(uniqueKeysWithValues: sources.indices.map { ($0, all) }))
  }

  func count(_ query: Query) throws(IndexError) -> Int {
    let query = try resolved(query)
    if sources.count == 1 {
      for case (_, .count(let count)) in try answers(of: .count(query)) { return count }
    }
    var identities: Set<UInt64> = []
    for (_, answer) in try answers(of: .identities(query)) {
      if case .identities(let some) = answer { identities.formUnion(some) }
    }
    return identities.count
  }

  func messages(
    _ query: Query,
    _ order: SearchOrder,
    limit: Int
  ) throws(IndexError) -> [[FoundMessage]] {
    let query = try resolved(query)
    return try answers(of: .messages(query, order, limit: limit)).compactMap { _, answer in
      if case .messages(let messages) = answer { messages } else { nil }
    }
  }

  func ids(
    _ query: Query,
    _ order: SearchOrder,
    limit: Int
  ) throws(IndexError) -> [[FoundID]] {
    let query = try resolved(query)
    return try answers(of: .ids(query, order, limit: limit)).compactMap { _, answer in
      if case .ids(let ids) = answer { ids } else { nil }
    }
  }

  // MARK: Threads

  /// The first threads in which a query finds something, whole.
  func threads(
    _ query: Query,
    _ order: SearchOrder,
    limit: Int,
    detail: ResultDetail
  ) throws(IndexError) -> [FoundThread] {
    let query = try resolved(query)
    // One more than is wanted tells whether others have the date of the last one.
    var asked = MergedResults.sum(limit, 1)
    while true {
      let lists = try answers(of: .threads(query, order, limit: asked, detail))
      var pieces: [Piece] = []
      // What a source has left out comes behind this, in its own order.
      var ends: [Int64] = []
      for case (let source, .threads(let threads)) in lists {
        pieces += threads.map { Piece(source: source, thread: $0) }
        if threads.count >= asked, let last = threads.last {
          ends.append(Self.moment(last, order).date)
        }
      }
      let joined = try whole(pieces, query, detail)
        .map { Dated(thread: $0, moment: Self.moment($0, order)) }
        .sorted { Self.precedes($0, $1, order) }
      let isSure = { (found: Dated) in
        ends.allSatisfy { Self.precedes(found.moment.date, $0, order) }
      }
      // Two parts of one thread can take the places of two threads: then more are asked for.
      let sure = order == .unsorted ? joined : Array(joined.prefix { isSure($0) })
      if sure.count >= limit || ends.isEmpty { return sure.prefix(limit).map(\.thread) }
      let (more, isTooMany) = asked.multipliedReportingOverflow(by: 2)
      asked = isTooMany ? .max : more
    }
  }

  /// The threads with messages that have or name one of these ids, whole, and which of their messages a query finds.
  func threads(
    linkedTo keys: [LinkKey],
    _ query: Query,
    detail: ResultDetail
  ) throws(IndexError) -> [FoundThread] {
    let query = try resolved(query)
    var pieces: [Piece] = []
    for case (let source, .threads(let threads)) in try answers(of: .linked(keys, query, detail)) {
      pieces += threads.map { Piece(source: source, thread: $0) }
    }
    return try whole(pieces, query, detail)
  }

  /// A thread, with the moment by which it is ordered.
  private struct Dated {
    let thread: FoundThread
    let moment: MessageMoment
  }

  private static func moment(_ thread: FoundThread, _ order: SearchOrder) -> MessageMoment {
    let moments = thread.messages.lazy.filter(\.isMatch).map { MessageMoment($0) }
    let found = order == .oldestFirst ? moments.min() : moments.max()
    return found ?? MessageMoment(date: 0, key: LinkKey(rawValue: 0))
  }

  /// As in one index: a page begins where the one before it ended, however much is asked for.
  private static func precedes(
    _ left: Dated,
    _ right: Dated,
    _ order: SearchOrder
  ) -> Bool {
    if left.moment != right.moment { return precedes(left.moment, right.moment, order) }
    return order != .unsorted && left.thread.id < right.thread.id
  }

  private static func precedes<Moment: Comparable>(
    _ left: Moment,
    _ right: Moment,
    _ order: SearchOrder
  ) -> Bool {
    switch order {
    case .newestFirst: left > right
    case .oldestFirst: left < right
    case .unsorted: false
    }
  }

  /// Threads made whole with what other sources have of them.
  private func whole(
    _ pieces: [Piece],
    _ query: Query,
    _ detail: ResultDetail
  ) throws(IndexError) -> [FoundThread] {
    Self.joined(try closure(pieces, query, detail))
  }

  /// These parts and all that belong to the same threads.
  private func closure(
    _ pieces: [Piece],
    _ query: Query,
    _ detail: ResultDetail
  ) throws(IndexError) -> [Piece] {
    var pieces = pieces
    var known = Set(pieces.map { Name(source: $0.source, thread: $0.thread.id) })
    // A source has put all that shares an id into one thread itself.
    var settled = [Set<LinkKey>](repeating: [], count: sources.count)
    var news = pieces[...]
    var rounds = 0
    while !news.isEmpty, sources.count > 1 {
      rounds += 1
      guard rounds <= roundLimit else {
        throw .failed("a thread goes on from machine to machine without end")
      }
      for piece in news { settled[piece.source].formUnion(Self.keys(piece.thread)) }
      let keys = Set(news.flatMap { Self.keys($0.thread) })
      var requests: [Int: SearchRequest] = [:]
      for source in sources.indices {
        let unasked = keys.subtracting(settled[source])
        guard !unasked.isEmpty else { continue }
        requests[source] = .linked(unasked.sorted(), query, detail)
        settled[source].formUnion(unasked)
      }
      let before = pieces.count
      for case (let source, .threads(let threads)) in try answers(requests) {
        for thread in threads where known.insert(Name(source: source, thread: thread.id)).inserted {
          pieces.append(Piece(source: source, thread: thread))
        }
      }
      news = pieces[before...]
    }
    return pieces
  }

  private struct Name: Hashable {
    let source: Int
    let thread: ThreadID
  }

  private static func keys(_ thread: FoundThread) -> [LinkKey] {
    thread.messages.flatMap { [$0.member.id] + $0.member.links }
  }

  /// One thread of all parts that share an id, by the name of the part with its oldest message, as an index would name it.
  private static func joined(_ pieces: [Piece]) -> [FoundThread] {
    groups(pieces).compactMap { joined($0.map(\.thread)) }
  }

  /// The parts of each thread.
  private static func groups(_ pieces: [Piece]) -> [[Piece]] {
    var sets = DisjointSets(count: pieces.count)
    var places: [LinkKey: Int] = [:]
    for (place, piece) in pieces.enumerated() {
      for key in keys(piece.thread) {
        if let other = places[key] { sets.join(place, other) } else { places[key] = place }
      }
    }
    var groups: [Int: [Piece]] = [:]
    var order: [Int] = []
    for (place, piece) in pieces.enumerated() {
      let root = sets.representative(place)
      if groups[root] == nil { order.append(root) }
      groups[root, default: []].append(piece)
    }
    return order.compactMap { groups[$0] }
  }

  private static func joined(_ parts: [FoundThread]) -> FoundThread? {
    if parts.count < 2 { return parts.first }
    let messages = parts.flatMap(\.messages).sorted { $0.member.precedes($1.member) }
    guard let oldest = messages.first else { return nil }
    return FoundThread(id: oldest.thread, messages: MergedResults.withoutCopies(messages))
  }

  // MARK: Queries about threads

  /// A query in which threads are named by all names that their parts have.
  private func resolved(_ query: Query) throws(IndexError) -> Query {
    switch query {
    case .exact(.thread, _): return try threads(of: query)
    case .thread(let inner): return try threads(of: try resolved(inner))
    case .and(let some): return .and(try resolved(some))
    case .or(let some): return .or(try resolved(some))
    case .xor(let some): return .xor(try resolved(some))
    case .not(let inner): return .not(try resolved(inner))
    default: return query
    }
  }

  private func resolved(_ queries: [Query]) throws(IndexError) -> [Query] {
    var result: [Query] = []
    for query in queries { result.append(try resolved(query)) }
    return result
  }

  /// What finds all messages of the threads in which a query finds something.
  private func threads(of query: Query) throws(IndexError) -> Query {
    Self.query(try parts(of: query).map(\.thread.id))
  }

  /// All parts of the threads in which a query finds something.
  private func parts(of query: Query) throws(IndexError) -> [Piece] {
    var pieces: [Piece] = []
    for case (let source, .threads(let threads)) in try answers(
      of: .threads(query, .unsorted, limit: threadLimit + 1, .list)
    ) {
      pieces += threads.map { Piece(source: source, thread: $0) }
    }
    guard pieces.count <= threadLimit else {
      throw .failed("more than \(threadLimit) threads of several machines are meant")
    }
    return try closure(pieces, query, .list)
  }

  private static func query(_ names: some Sequence<ThreadID>) -> Query {
    .or(Set(names).sorted().map { .exact(.thread, Array($0.description.utf8)) })
  }

  /// As ``resolved(_:)``, for many queries: threads that are named alone are asked for all at once.
  func resolved(together queries: [Query]) throws(IndexError) -> [Query] {
    let named = queries.filter { if case .exact(.thread, _) = $0 { true } else { false } }
    // Groups that have nothing in common may have a thread of one name.
    var known: [[UInt8]: Set<ThreadID>] = [:]
    if named.count > 1 {
      for group in Self.groups(try parts(of: .or(named))) {
        let names = group.map(\.thread.id)
        for name in names { known[Array(name.description.utf8), default: []].formUnion(names) }
      }
    }
    var result: [Query] = []
    for query in queries {
      if case .exact(.thread, let name) = query, let all = known[name] {
        result.append(Self.query(all))
      } else {
        result.append(try resolved(query))
      }
    }
    return result
  }
}
