package import Configuration
package import MailModel
internal import Platform
package import Query

/// The accounts that a search takes part in, and those that it leaves out since their Maildir or index is missing.
///
/// An account that was never synced, or whose disk is not mounted, does not keep the others from being searched. One that
/// is named is not left out, and if none has an index all are searched: both fail then, and say why.
package struct SearchedAccounts: Sendable {
  /// Those that are searched.
  package let accounts: [Account]

  /// Why others are left out, each with its name as the place.
  package let leftOut: [Explanation]

  /// Decides which of some accounts are searched.
  ///
  /// - Parameters:
  ///   - accounts: all that could be.
  ///   - names: the accounts that were asked for; empty for all.
  package init(_ accounts: [Account], named names: [String]) {
    var (present, leftOut): ([Account], [Explanation]) = ([], [])
    for account in accounts {
      if let reason = Self.reason(account) {
        leftOut.append(reason)
      } else {
        present.append(account)
      }
    }
    let isWhole = !names.isEmpty || present.isEmpty
    self.accounts = isWhole ? accounts : present
    self.leftOut = isWhole ? [] : leftOut
  }

  /// Why accounts are left out of the search for a query.
  ///
  /// - Throws: why an account that the query asks for is not searched.
  package func leftOut(of query: Query) throws(Explanation) -> [Explanation] {
    let names = query.accounts
    for reason in leftOut where names.contains([UInt8]((reason.place ?? "").utf8)) { throw reason }
    return query.asksForVerdicts ? leftOut + withoutVerdicts : leftOut
  }

  /// Of accounts whose receiving server is not known nothing is found that asks for verdicts.
  private var withoutVerdicts: [Explanation] {
    accounts.filter(\.verdictServers.names.isEmpty).map { account in
      Explanation(
        .partial,
        place: account.name,
        "auth: finds nothing: no server is named whose verdicts are believed",
        hint: "set authserv-id; magnum accounts test \(account.name) proposes one"
      )
    }
  }

  /// Why an account cannot be searched; nil if it can be tried.
  private static func reason(_ account: Account) -> Explanation? {
    do throws(SystemError) {
      if try IndexPlace.of(account.maildir).hasIndex { return nil }
      return Explanation(
        .partial,
        place: account.name,
        "not searched: the account has no index yet",
        hint: "make one: magnum index --account \(account.name)"
      )
    } catch {
      let isSynced = account.server != nil
      return Explanation(
        .partial,
        place: account.name,
        "not searched: \(error.description)",
        hint: "mount the disk that it lies on"
          + (isSynced ? ", or run: magnum-sync \(account.name)" : "")
      )
    }
  }
}

extension Query {
  /// The names of the accounts that are asked for, without those that are excluded.
  fileprivate var accounts: Set<[UInt8]> {
    switch self {
    case .exact(.account, let name): [name]
    case .and(let parts), .or(let parts), .xor(let parts):
      parts.reduce(into: []) { $0.formUnion($1.accounts) }
    case .thread(let inner): inner.accounts
    default: []
    }
  }
}

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
