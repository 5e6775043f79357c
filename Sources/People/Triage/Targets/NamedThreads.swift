internal import Configuration
internal import Correspondence
internal import MailModel
internal import Platform
internal import Query
internal import SearchIndex

/// What queries mean by threads in the mail of several accounts.
struct NamedThreads {
  private let accounts: [Account]

  init(_ accounts: [Account]) {
    self.accounts = accounts
  }

  /// The queries as each account is asked them: a thread that goes through several has a name in each.
  func resolved(_ queries: [Query]) throws(Explanation) -> [Query] {
    try asking { (set) throws(IndexError) in try set.resolved(queries) }
  }

  /// The queries without what only subjects join to the threads that they name.
  func limited(_ queries: [Query]) throws(Explanation) -> [Query] {
    try asking { (set) throws(IndexError) in
      let guesses = try ThreadGuesses(set, for: queries)
      var limited: [Query] = []
      for query in queries { limited.append(try guesses.limited(query)) }
      return limited
    }
  }

  /// How many messages queries find that they do not find so limited.
  func guesses(in queries: [Query], _ limited: [Query]) throws(Explanation) -> Int {
    var guessed = 0
    for (query, limited) in zip(queries, limited) where query != limited {
      guessed += try asking { (set) throws(IndexError) in
        try set.count(.and([query, .not(limited)]))
      }
    }
    return guessed
  }

  private func asking<Result>(
    _ body: (SearchSet) throws(IndexError) -> Result
  ) throws(Explanation) -> Result {
    let set = try explaining(.partial) { () throws(SystemError) in
      try SearchSet(accounts, stemming: "english")
    }
    do throws(IndexError) {
      return try body(set)
    } catch {
      throw Explanation(.partial, place: "index", error.message, hint: error.hint)
    }
  }
}
