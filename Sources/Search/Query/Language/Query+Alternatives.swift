extension Query {
  /// Queries without "or" that together find what this one finds; this one alone where they would be more than `limit`.
  ///
  /// What is denied, and where one of two excludes the other, is taken apart too.
  package func alternatives(limit: Int) -> [Query] {
    conjunctions(isDenied: false, limit) ?? [self]
  }

  /// Nil where they are too many.
  private func conjunctions(isDenied: Bool, _ limit: Int) -> [Query]? {
    switch self {
    case .or(let parts):
      return isDenied ? Self.all(parts, isDenied, limit) : Self.any(parts, isDenied, limit)
    case .and(let parts):
      return isDenied ? Self.any(parts, isDenied, limit) : Self.all(parts, isDenied, limit)
    case .xor(let parts):
      guard let first = parts.first else { return isDenied ? [.everything] : [.nothing] }
      if parts.count == 1 { return first.conjunctions(isDenied: isDenied, limit) }
      let rest = Query.xor(Array(parts.dropFirst()))
      let one = Query.or([.and([first, .not(rest)]), .and([.not(first), rest])])
      return one.conjunctions(isDenied: isDenied, limit)
    case .not(let part): return part.conjunctions(isDenied: !isDenied, limit)
    case .everything, .nothing, .word, .phrase, .near, .beginning, .wordless, .pattern, .exact,
      .date, .size, .revision, .thread:
      return [isDenied ? .not(self) : self]
    }
  }

  private static func any(_ parts: [Query], _ isDenied: Bool, _ limit: Int) -> [Query]? {
    var all: [Query] = []
    for part in parts {
      guard let more = part.conjunctions(isDenied: isDenied, limit) else { return nil }
      all += more
      if all.count > limit { return nil }
    }
    return all
  }

  private static func all(_ parts: [Query], _ isDenied: Bool, _ limit: Int) -> [Query]? {
    var all: [[Query]] = [[]]
    for part in parts {
      guard let choices = part.conjunctions(isDenied: isDenied, limit) else { return nil }
      guard all.count * choices.count <= limit else { return nil }
      all = all.flatMap { known in choices.map { known + [$0] } }
    }
    return all.map { $0.count == 1 ? $0[0] : .and($0) }
  }
}
