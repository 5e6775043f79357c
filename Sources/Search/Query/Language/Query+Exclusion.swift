internal import Octets

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
