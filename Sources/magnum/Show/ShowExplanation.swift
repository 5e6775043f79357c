internal import CommandLine
internal import Configuration
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal

/// Why nothing can be shown.
enum ShowExplanation {
  static func of(_ error: ConfigurationError) -> Explanation {
    var explanation = error.explanation
    if case .noFile = error.problem {
      explanation.hint =
        "name a file, or a Maildir with --maildir, or describe an account: see magnum-config(5)"
    }
    return explanation
  }

  static func of(_ error: SystemError) -> Explanation { Explanation(.partial, error.description) }

  static func of(_ error: IndexError) -> Explanation { IndexExplanation.of(error, "index") }

  /// The mistake, with marks below it in the query.
  static func of(_ error: QueryError, in query: String) -> Explanation {
    var explanation = Explanation(.data, place: "query", error.description)
    explanation.excerpt = MarkedExcerpt.lines(query, error.place)
    return explanation
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
