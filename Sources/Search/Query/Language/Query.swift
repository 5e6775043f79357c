internal import Octets

/// What is searched for, as a tree.
package indirect enum Query: Hashable, Sendable {
  /// All messages.
  case everything
  /// No message.
  case nothing
  /// A word; `nil` for a field: any of them. A word that is not exact is found in its other forms too.
  case word([UInt8], TextField?, isExact: Bool)
  /// Words next to each other.
  case phrase([[UInt8]], TextField?)
  /// Words near each other, at most so many apart; in their order if wanted.
  case near([[UInt8]], TextField?, distance: Int, isOrdered: Bool)
  /// Words that begin so.
  case beginning([UInt8], TextField?)
  /// No word at all in a field.
  case wordless(TextField)
  /// A text field, or the folder, path, tag or id, that a regular expression (POSIX extended) fits.
  case pattern([UInt8], PatternField)
  /// A property as written.
  case exact(ExactField, [UInt8])
  /// A time.
  case date(DateRange)
  /// A size in octets; nil for no bound.
  case size(from: UInt64?, to: UInt64?)
  /// The revision of the index that changed the message last; nil for no bound, negative counted from the newest one.
  case revision(from: Int64?, to: Int64?)
  /// The messages of all threads in which something is found.
  case thread(Query)
  /// All of these.
  case and([Query])
  /// Any of these.
  case or([Query])
  /// An odd number of these.
  case xor([Query])
  /// What is not found.
  case not(Query)
}

extension Query {
  /// The tag of threads that are muted.
  package static let muted = [UInt8](ascii: "muted")

  /// The query without messages that have one of these tags.
  ///
  /// A thread that is muted stays so, whatever comes into it later.
  package func excluding(_ tags: [[UInt8]]) -> Query {
    guard !tags.isEmpty else { return self }
    return .and([self] + tags.map { .not(Self.leftOut($0)) })
  }

  private static func leftOut(_ tag: [UInt8]) -> Query {
    tag.equalsCaseless(muted) ? .thread(.exact(.tag, tag)) : .exact(.tag, tag)
  }

  /// Those of some tags that the query itself does not name.
  package func unnamed(_ tags: [[UInt8]]) -> [[UInt8]] { tags.filter { !names($0) } }

  /// Whether it asks what receiving servers found out about senders.
  package var asksForVerdicts: Bool {
    switch self {
    case .exact(.auth, _): true
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains(where: \.asksForVerdicts)
    case .not(let part), .thread(let part): part.asksForVerdicts
    default: false
    }
  }

  private func names(_ tag: [UInt8]) -> Bool {
    switch self {
    case .exact(.tag, let name): name.equalsCaseless(tag)
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains { $0.names(tag) }
    case .not(let part), .thread(let part): part.names(tag)
    default: false
    }
  }
}

/// Moments as notmuch once wrote ranges of dates: `1640995200..1672531199`.
enum TimestampRange {
  /// Fewer digits are more likely numbers that people look for.
  private static let digits = 9

  /// The range that a word is; nil for any other word.
  static func of(_ text: [UInt8]) -> DateRange? {
    guard let (low, high) = RangeText.bounds(of: text), !low.isEmpty, !high.isEmpty,
      low.allSatisfy(ASCII.isDigit), high.allSatisfy(ASCII.isDigit),
      max(low.count, high.count) >= digits,
      let first = Int64(String(decoding: low, as: UTF8.self)),
      let last = Int64(String(decoding: high, as: UTF8.self))
    else { return nil }
    return DateRange(first: first, last: last)
  }
}

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
