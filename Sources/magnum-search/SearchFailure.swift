internal import Configuration
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal

/// A failure in words, and the status that says so to scripts.
struct SearchFailure: Error {
  let place: String?
  let what: String
  let hint: String?
  let status: Int32
  /// Lines that show where in the query it happened.
  var excerpt: [String] = []

  init(_ error: ConfigurationError) {
    (place, what) = (error.place, error.message)
    if case .noFile = error.problem {
      hint = "name a Maildir with --maildir, or describe an account: see magnum-config(5)"
    } else {
      hint = error.remedy
    }
    status = SearchStatus.configuration
  }

  init(unknownAccount name: String, known: [String]) {
    place = name
    what = "no such account"
    hint = "the configuration has: \(known.joined(separator: ", "))"
    status = SearchStatus.configuration
  }

  init(_ error: SystemError) {
    place = nil
    what = error.description
    hint = nil
    status = SearchStatus.failure
  }

  init(_ error: QueryError, in query: String) {
    place = "query"
    what = error.description
    hint = nil
    status = SearchStatus.query
    excerpt = QueryExcerpt.lines(query, error.place)
  }

  init(_ error: IndexError) {
    place = nil
    (what, hint) = (error.message, error.hint)
    switch error {
    case .locked, .modified, .interrupted: status = SearchStatus.tryAgain
    case .pattern, .tooManyWords: status = SearchStatus.query
    default: status = SearchStatus.failure
    }
  }

  func report(to console: Console) {
    console.report(Diagnostic(program: "magnum-search", place: place, what: what, hint: hint))
    for line in excerpt { console.note(line) }
  }
}
