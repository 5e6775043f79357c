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

  private func names(_ tag: [UInt8]) -> Bool {
    switch self {
    case .exact(.tag, let name): name.equalsCaseless(tag)
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains { $0.names(tag) }
    case .not(let part), .thread(let part): part.names(tag)
    default: false
    }
  }
}
