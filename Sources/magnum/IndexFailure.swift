internal import Configuration
internal import Platform
internal import SearchIndex
internal import Terminal

/// Why an index could not be made or read, in words.
struct IndexFailure: Error {
  let status: ExitStatus
  private let place: String?
  private let what: String
  private let hint: String?

  init(_ error: ConfigurationError) {
    (place, what, hint) = (error.place, error.message, error.remedy)
    status = .configuration
  }

  init(_ error: SystemError) {
    (place, what, hint) = (nil, error.description, nil)
    status = .partial
  }

  init(_ error: IndexError, _ name: String) {
    place = name
    (what, hint) = Self.words(error)
    switch error {
    case .locked, .modified, .interrupted: status = .tryAgain
    case .newer: status = .configuration
    default: status = .partial
    }
  }

  var diagnostic: Diagnostic {
    Diagnostic(program: "magnum", place: place, what: what, hint: hint)
  }

  private static func words(_ error: IndexError) -> (String, String?) {
    switch error {
    case .system(let error):
      (error.description, error.isOutOfSpace ? "make room; the old index still answers" : nil)
    case .notThere(let words): (words, "make one: magnum index")
    case .locked(let path, let holder):
      (
        "another program\(holder.map { " (process \($0))" } ?? "") holds \(path.display)",
        "try again"
      )
    case .newer(let schema):
      ("the index was made by a later version (schema \(schema))", "install that version")
    case .older(let schema):
      ("the index was made by an earlier version (schema \(schema))", "run: magnum index --rebuild")
    case .damaged(let words): ("the index is damaged: \(words)", "run: magnum index --rebuild")
    case .modified: ("the index changes faster than it can be read", "try again")
    case .full(let words): ("the disk is full: \(words)", "make room; the old index still answers")
    case .tooManyWords(let limit): ("more than \(limit) words begin so", nil)
    case .pattern(let words): ("a regular expression is wrong: \(words)", nil)
    case .interrupted: ("interrupted; what was there is still there", nil)
    case .failed(let words): (words, nil)
    }
  }
}
