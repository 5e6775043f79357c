internal import Query
internal import SearchIndex
internal import Threads

/// Queries for acts: what their subject alone joins to a thread is not meant by the thread, since strangers choose subjects.
struct ThreadGuesses {
  private let set: SearchSet
  /// The Message-IDs that are left out of a thread that is named, by its name.
  private var known: [[UInt8]: [[UInt8]]] = [:]

  /// So many threads that are named are looked at together.
  private static let batch = 500

  /// - Parameters:
  ///   - set: the indexes that are asked.
  ///   - queries: what is going to be asked for.
  /// - Throws: why an index cannot be read.
  init(_ set: SearchSet, for queries: [Query]) throws(IndexError) {
    self.set = set
    let names = Array(Set(queries.flatMap(Self.names)))
    for start in stride(from: 0, to: names.count, by: Self.batch) {
      try look(Array(names[start...].prefix(Self.batch)))
    }
  }

  /// Looks at threads, all at once; one that has no message by that name then alone.
  private mutating func look(_ names: [[UInt8]]) throws(IndexError) {
    let found = try set.threads(.or(names.map { .exact(.thread, $0) }), .unsorted)
    for thread in found {
      let left = thread.joinedBySubject.map(\.id)
      for name in Set(thread.messages.map(\.thread) + [thread.id]) { known[name.digits] = left }
    }
    for name in names where known[name] == nil {
      known[name] = try set.threads(.exact(.thread, name), .unsorted)
        .flatMap { $0.joinedBySubject.map(\.id) }
    }
  }

  private static func names(_ query: Query) -> [[UInt8]] {
    switch query {
    case .exact(.thread, let name): [name]
    case .and(let parts), .or(let parts), .xor(let parts): parts.flatMap(names)
    default: []
    }
  }

  /// A query that does not find what only subjects join to the threads that it names.
  ///
  /// What it denies stays as it is.
  func limited(_ query: Query) throws(IndexError) -> Query {
    switch query {
    case .exact(.thread, let name): return Self.without(known[name] ?? [], query)
    case .thread(let inner):
      let left = try set.threads(inner, .unsorted).flatMap { $0.joinedToFoundBySubject.map(\.id) }
      return Self.without(left, query)
    case .and(let parts): return .and(try limited(parts))
    case .or(let parts): return .or(try limited(parts))
    case .xor(let parts): return .xor(try limited(parts))
    case .everything, .nothing, .word, .phrase, .near, .beginning, .wordless, .pattern, .exact,
      .date, .size, .revision, .not:
      return query
    }
  }

  private func limited(_ parts: [Query]) throws(IndexError) -> [Query] {
    var all: [Query] = []
    for part in parts { all.append(try limited(part)) }
    return all
  }

  private static func without(_ ids: [[UInt8]], _ query: Query) -> Query {
    ids.isEmpty ? query : .and([query, .not(.or(ids.map { .exact(.id, $0) }))])
  }
}
