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
    (place, what) = (error.place, error.message)
    if case .noFile = error.problem {
      hint = "name a Maildir: magnum index DIRECTORY; or describe an account: see magnum-config(5)"
    } else {
      hint = error.remedy
    }
    status = .configuration
  }

  init(_ error: SystemError) {
    (place, what, hint) = (nil, error.description, nil)
    status = .partial
  }

  init(_ error: IndexError, _ name: String) {
    place = name
    (what, hint) = (error.message, error.hint)
    switch error {
    case .locked, .modified, .interrupted: status = .tryAgain
    case .newer: status = .configuration
    default: status = .partial
    }
  }

  var diagnostic: Diagnostic {
    Diagnostic(program: "magnum", place: place, what: what, hint: hint)
  }
}
