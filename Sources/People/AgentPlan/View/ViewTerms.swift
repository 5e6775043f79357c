internal import Octets
package import Query

/// What the queries of a view name: what an agent changes of that would change what it may see.
package struct ViewTerms: Sendable {
  /// What acts change besides tags.
  package enum Change: Hashable, Sendable {
    /// Whether messages are read.
    case seen
    /// Whether they are flagged.
    case flagged
    /// Where they lie.
    case place

    /// The words that ask for it.
    fileprivate var tags: [StaticString] {
      switch self {
      case .seen: ["unread", "seen", "read", "*"]
      case .flagged: ["flagged", "*"]
      case .place: ["inbox", "trash", "trashed", "deleted", "spam", "sent", "draft", "*"]
      }
    }
  }

  /// Whether a regular expression fits a tag.
  package typealias Fit = (_ pattern: [UInt8], _ tag: [UInt8]) -> Bool

  private let queries: [Query]
  private let excluded: [[UInt8]]

  /// The terms of a view.
  ///
  /// - Parameters:
  ///   - queries: what may be seen, and what may not.
  ///   - excluded: the tags of messages that searches leave out.
  package init(_ queries: [Query], excluded: [[UInt8]]) {
    (self.queries, self.excluded) = (queries, excluded)
  }

  /// Whether a tag is named, so that setting or removing it would move messages into the view or out of it.
  package func names(_ tag: [UInt8], _ fits: Fit) -> Bool {
    excluded.contains { $0.equalsCaseless(tag) }
      || queries.contains { query in
        query.contains { term in
          switch term {
          case .exact(.tag, let name): name.equalsCaseless(tag) || name.equalsCaseless("*")
          case .pattern(let pattern, .tag): fits(pattern, tag)
          default: false
          }
        }
      }
  }

  /// Whether a change of one message would bring others of its thread into the view or out of it.
  package func joinsThreads(by change: Change) -> Bool {
    queries.contains { query in
      query.contains { term in
        guard case .thread(let inner) = term else { return false }
        return inner.contains { $0.isAbout(change) }
      }
    }
  }
}

extension Query {
  /// Whether a test holds of it or of a query in it.
  fileprivate func contains(_ test: (Query) -> Bool) -> Bool {
    if test(self) { return true }
    return switch self {
    case .and(let parts), .or(let parts), .xor(let parts): parts.contains { $0.contains(test) }
    case .not(let part), .thread(let part): part.contains(test)
    case .everything, .nothing, .word, .phrase, .near, .beginning, .wordless, .pattern, .exact,
      .date, .size, .revision:
      false
    }
  }

  fileprivate func isAbout(_ change: ViewTerms.Change) -> Bool {
    switch self {
    case .exact(.tag, let name): change.tags.contains { name.equalsCaseless($0) }
    // Which tags it means is not looked at.
    case .pattern(_, .tag): true
    case .exact(.folder, _), .exact(.path, _), .pattern(_, .folder), .pattern(_, .path):
      change == .place
    default: false
    }
  }
}
