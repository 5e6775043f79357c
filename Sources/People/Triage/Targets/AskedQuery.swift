internal import MailModel
internal import Configuration
internal import Correspondence
internal import Platform
internal import Query
internal import SearchIndex

/// A query as indexes are asked it: where it decides which files of a message are meant, each of its alternatives too.
struct AskedQuery {
  /// What an index has.
  struct Results: Sendable {
    let messages: [FoundMessage]
    /// Those of each alternative.
    let ofAlternatives: [[FoundMessage]]
  }

  /// Where a query has more alternatives than these, all places that it names count for each message.
  private static let limit = 64

  /// Queries that together find the same; none where it does not matter which of them found a message.
  let alternatives: [Query]

  private let query: Query

  init(_ query: Query, _ verb: TriageVerb, _ rules: TargetRules) {
    self.query = query
    let isScoped = verb.isMoving && rules.folder == nil && !QueryScope(query).places.isEmpty
    let all = isScoped ? query.alternatives(limit: Self.limit) : []
    alternatives = all.count > 1 ? all : []
  }

  /// What queries find in the index of an account, as it is at one moment.
  static func results(
    of queries: [AskedQuery],
    in account: Account
  ) throws(Explanation) -> [Results] {
    let reader = try explaining(.partial) { () throws(SystemError) in try IndexReader(of: account) }
    do throws(IndexError) {
      return try reader.read { (snapshot) throws(IndexError) in
        var found: [Results] = []
        for query in queries { found.append(try query.results(in: snapshot)) }
        return found
      }
    } catch {
      throw Explanation(.partial, place: "index", error.message, hint: error.hint)
    }
  }

  private func results(in snapshot: IndexSnapshot) throws(IndexError) -> Results {
    var found: [[FoundMessage]] = []
    for alternative in alternatives {
      found.append(try snapshot.messages(alternative, .newestFirst))
    }
    return Results(messages: try snapshot.messages(query, .newestFirst), ofAlternatives: found)
  }
}
