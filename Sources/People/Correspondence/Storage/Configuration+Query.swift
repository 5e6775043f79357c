package import MailModel
package import Configuration
internal import Platform
package import Query
internal import SearchIndex

extension Configuration {
  /// The query that a person typed, with the names that the configuration gives to queries.
  ///
  /// - Parameters:
  ///   - text: the query, as in magnum-query(7).
  ///   - now: what its dates count from, in seconds since 1970.
  /// - Returns: the query as a tree.
  /// - Throws: what is wrong with it, and where.
  package func query(_ text: String, now: Int64) throws(Explanation) -> Query {
    if let problem = Explanation(notUTF8: "query", text) { throw problem }
    do throws(QueryError) {
      let dates = DateContext(now: now) { LocalTime.offset(at: $0) }
      return try QueryParser.parse(Array(text.utf8), dates, names: NamedQueries(search.queries))
    } catch {
      throw Explanation(error, in: text)
    }
  }
}
