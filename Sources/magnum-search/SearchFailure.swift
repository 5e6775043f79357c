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
    (place, what, hint) = (error.place, error.message, error.remedy)
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
    (what, hint) = Self.words(error)
    switch error {
    case .locked, .modified, .interrupted: status = SearchStatus.tryAgain
    case .pattern, .tooManyWords: status = SearchStatus.query
    default: status = SearchStatus.failure
    }
  }

  private static func words(_ error: IndexError) -> (String, String?) {
    switch error {
    case .system(let error): (error.description, nil)
    case .notThere(let words): ("\(words)", "make one: magnum index")
    case .locked(let path, let holder):
      ("\(path.display) is locked\(holder.map { " by process \($0)" } ?? "")", nil)
    case .newer(let schema):
      ("the index was made by a later version (schema \(schema))", "install that version")
    case .older(let schema):
      ("the index was made by an earlier version (schema \(schema))", "run: magnum index --rebuild")
    case .damaged(let words): ("the index is damaged: \(words)", "run: magnum index --rebuild")
    case .modified: ("the index changes faster than it can be read", "try again")
    case .full(let words): ("the disk is full: \(words)", nil)
    case .tooManyWords(let limit):
      ("more than \(limit) words begin so", "write more letters before the *")
    case .pattern(let words): ("a regular expression is wrong: \(words)", nil)
    case .interrupted: ("interrupted", nil)
    case .failed(let words): (words, nil)
    }
  }

  func report(to console: Console) {
    console.report(Diagnostic(program: "magnum-search", place: place, what: what, hint: hint))
    for line in excerpt { console.note(line) }
  }
}
