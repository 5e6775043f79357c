internal import CommandLine
internal import Configuration
internal import Platform
internal import Query
internal import SearchIndex

/// Errors as magnum-search explains them.
enum SearchExplanation {
  static func of(_ error: ConfigurationError) -> Explanation {
    var explanation = error.explanation
    if case .noFile = error.problem {
      explanation.hint =
        "name a Maildir with --maildir, or describe an account: see magnum-config(5)"
    }
    return explanation
  }

  static func of(_ error: SystemError) -> Explanation { Explanation(.partial, error.description) }

  /// The mistake, with marks below it in the query.
  static func of(_ error: QueryError, in query: String) -> Explanation {
    var explanation = Explanation(.data, place: "query", error.description)
    explanation.excerpt = QueryExcerpt.lines(query, error.place)
    return explanation
  }

  static func of(_ error: IndexError) -> Explanation {
    let status: ExitStatus =
      switch error {
      case .locked, .modified, .interrupted: .tryAgain
      case .pattern, .tooManyWords: .data
      default: .partial
      }
    return Explanation(status, error.message, hint: error.hint)
  }
}
