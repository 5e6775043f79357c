package import Query

extension Query {
  /// The query as an archive of that name is asked it, all of whose messages are in the account of that name.
  package func replacingAccount(_ name: [UInt8]) -> Query {
    switch self {
    case .exact(.account, name): .everything
    case .thread(let query): .thread(query.replacingAccount(name))
    case .and(let parts): .and(parts.map { $0.replacingAccount(name) })
    case .or(let parts): .or(parts.map { $0.replacingAccount(name) })
    case .xor(let parts): .xor(parts.map { $0.replacingAccount(name) })
    case .not(let query): .not(query.replacingAccount(name))
    default: self
    }
  }

  /// Whether it is about revisions, which mean nothing beyond one index.
  package var isAboutRevisions: Bool {
    switch self {
    case .revision: true
    case .thread(let query), .not(let query): query.isAboutRevisions
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains { $0.isAboutRevisions }
    default: false
    }
  }
}
