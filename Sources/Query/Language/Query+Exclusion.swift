internal import Octets

extension Query {
  /// The query without messages that have one of these tags.
  package func excluding(_ tags: [[UInt8]]) -> Query {
    guard !tags.isEmpty else { return self }
    return .and([self] + tags.map { .not(.exact(.tag, $0)) })
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
