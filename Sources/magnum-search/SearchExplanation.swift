internal import CommandLine
internal import Configuration
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal

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
    explanation.excerpt = MarkedExcerpt.lines(query, error.place)
    return explanation
  }

  /// Why a directory is not taken for links.
  static func of(_ refusal: LinkedMaildir.Refusal, _ directory: Path) -> Explanation {
    switch refusal {
    case .system(let error): of(error)
    case .holdsOthers:
      Explanation(
        .partial,
        place: directory.display,
        "this directory holds something else than links of an earlier search",
        hint: "name one that is not there, or that is empty"
      )
    case .insideMaildir(let root):
      Explanation(
        .partial,
        place: directory.display,
        "this directory lies in \(root.display), where it would be taken for a mailbox",
        hint: "name one outside of all Maildirs, such as ~/.cache/magnum/results"
      )
    }
  }

  static func of(_ error: IndexError) -> Explanation {
    let status: ExitStatus =
      switch error {
      case .locked, .modified, .interrupted: .tryAgain
      case .newer: .configuration
      case .pattern, .tooManyWords: .data
      default: .partial
      }
    return Explanation(status, error.message, hint: error.hint)
  }
}
