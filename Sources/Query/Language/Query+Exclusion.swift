extension Query {
  /// The query without messages that bear one of these tags, as notmuch leaves them out.
  ///
  /// A tag that the query itself names is not left out: who asks for it wants to see it.
  package func excluding(_ tags: [[UInt8]]) -> Query {
    let excluded = tags.filter { !names($0) }
    guard !excluded.isEmpty else { return self }
    return .and([self] + excluded.map { .not(.exact(.tag, $0)) })
  }

  private func names(_ tag: [UInt8]) -> Bool {
    switch self {
    case .exact(.tag, tag): true
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains { $0.names(tag) }
    case .not(let part), .thread(let part): part.names(tag)
    default: false
    }
  }
}
