// The answers to what another machine asks.
extension SearchSet {
  /// Answers what another machine asks of these indexes.
  ///
  /// - Throws: why an index cannot be read.
  package func answer(_ request: SearchRequest) throws(IndexError) -> SearchAnswer {
    switch request {
    case .count(let query): return .count(try count(query))
    case .identities(let query):
      return .identities(try messages(query, .unsorted).map(\.identity))
    case .messages(let query, let order, let limit):
      return .messages(try messages(query, order, limit: limit))
    case .ids(let query, let order, let limit):
      return .ids(try ids(query, order, limit: limit))
    case .threads(let query, let order, let limit, let detail):
      return .threads(try threads(query, order, limit: limit, detail: detail))
    case .linked(let keys, let query, let detail):
      if let only { return try only.answer(request) }
      return .threads(
        try joined { (search) throws(IndexError) in
          try search.threads(linkedTo: keys, query, detail: detail)
        }
      )
    }
  }
}
