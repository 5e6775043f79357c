internal import CXapian
package import Query
package import Threads

/// What one index is asked where several are searched as one.
package enum SearchRequest: Hashable, Sendable {
  /// How many messages a query finds.
  case count(Query)
  /// What tells the messages that a query finds from all others: one number each.
  case identities(Query)
  /// The messages that a query finds, at most so many.
  case messages(Query, SearchOrder, limit: Int)
  /// Their ids and dates.
  case ids(Query, SearchOrder, limit: Int)
  /// The threads in which a query finds something, at most so many.
  case threads(Query, SearchOrder, limit: Int, ResultDetail)
  /// The threads with messages that have or name one of these ids, and what a query finds in them.
  case linked([LinkKey], Query, ResultDetail)
}

/// What an index answers.
package enum SearchAnswer: Sendable {
  /// A number of messages.
  case count(Int)
  /// One number for each message.
  case identities([UInt64])
  /// Messages in their order.
  case messages([FoundMessage])
  /// Ids in their order, with dates.
  case ids([FoundID])
  /// Threads in their order.
  case threads([FoundThread])
}

/// The id of a message that was found.
package struct FoundID: Hashable, Sendable {
  /// The Message-ID, without angle brackets.
  package let id: [UInt8]
  /// When the message was written, in seconds since 1970.
  package let date: Int64

  package init(id: [UInt8], date: Int64) {
    self.id = id
    self.date = date
  }
}

/// An index that is searched together with others, here or on another machine.
package protocol SearchSource: Sendable {
  /// Whether it no longer answers.
  var isOut: Bool { get }

  /// Begins to answer.
  ///
  /// - Returns: what waits for the answer. It gives nil where there is none, since the source is out: it has said so then, and
  ///   no longer answers.
  func begin(_ request: SearchRequest) -> () throws(IndexError) -> SearchAnswer?
}

extension IndexReader: SearchSource {
  /// One that cannot be read is a failure.
  package var isOut: Bool { false }

  /// The answer is made when it is waited for, beside those of other machines.
  package func begin(_ request: SearchRequest) -> () throws(IndexError) -> SearchAnswer? {
    { () throws(IndexError) in try answer(request) }
  }

  /// Answers a request.
  ///
  /// - Throws: why the index cannot be read.
  package func answer(_ request: SearchRequest) throws(IndexError) -> SearchAnswer {
    try read { (snapshot) throws(IndexError) in
      switch request {
      case .count(let query): .count(try snapshot.count(query))
      case .identities(let query):
        .identities(try snapshot.messages(query, .unsorted).map(\.identity))
      case .messages(let query, let order, let limit):
        .messages(try snapshot.messages(query, order, limit: limit))
      case .ids(let query, let order, let limit):
        .ids(try snapshot.ids(query, order, limit: limit))
      case .threads(let query, let order, let limit, let detail):
        .threads(try snapshot.threads(query, order, limit: limit, detail: detail))
      case .linked(let keys, let query, let detail):
        .threads(try snapshot.threads(linkedTo: keys, query, detail: detail))
      }
    }
  }
}

/// In which order results come.
package enum SearchOrder: String, Hashable, Sendable, CaseIterable {
  case newestFirst = "newest-first"
  case oldestFirst = "oldest-first"
  /// As the index has them.
  case unsorted

  var library: magnum_index_order {
    switch self {
    case .newestFirst: MAGNUM_INDEX_DESCENDING
    case .oldestFirst: MAGNUM_INDEX_ASCENDING
    case .unsorted: MAGNUM_INDEX_UNSORTED
    }
  }
}

/// How much of a message a result tells.
package enum ResultDetail: Hashable, Sendable {
  /// All that the index keeps.
  case all
  /// All but the receivers: what a list of threads shows.
  case list
}
