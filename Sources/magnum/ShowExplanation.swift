internal import CommandLine
internal import Platform
internal import Query
internal import SearchIndex

/// Why nothing can be shown.
enum ShowExplanation {
  static func of(_ error: SystemError) -> Explanation { Explanation(.partial, error.description) }

  static func of(_ error: IndexError) -> Explanation { IndexExplanation.of(error, "index") }

  static func of(_ error: QueryError, in query: String) -> Explanation {
    let part = String(decoding: Array(query.utf8)[error.place], as: UTF8.self)
    let rest = part.isEmpty ? "" : ": \(part)"
    return Explanation(.usage, place: "query", "\(error.description)\(rest)")
  }

  static func nothing(_ query: String) -> Explanation {
    Explanation(.partial, place: query, "no such file, and no message found")
  }

  static func ambiguous(_ count: Int) -> Explanation {
    Explanation(
      .usage,
      "\(count) messages found; a part can be shown of one",
      hint: "name it by its id: or file"
    )
  }

  static func noPart(_ number: String) -> Explanation {
    Explanation(.partial, "no part \(number)", hint: "without --part the parts are listed")
  }
}
