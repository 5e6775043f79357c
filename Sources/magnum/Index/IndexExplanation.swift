internal import CommandLine
internal import Configuration
internal import SearchIndex

/// Errors of indexes as `magnum index` and `magnum show` explain them.
enum IndexExplanation {
  static func of(_ error: ConfigurationError) -> Explanation {
    var explanation = error.explanation
    if case .noFile = error.problem {
      explanation.hint =
        "name a Maildir: magnum index DIRECTORY; or describe an account: see magnum-config(5)"
    }
    return explanation
  }

  static func of(_ error: IndexError, _ name: String) -> Explanation {
    let status: ExitStatus =
      switch error {
      case .locked, .modified, .interrupted: .tryAgain
      case .newer: .configuration
      case .pattern, .tooManyWords: .data
      default: .partial
      }
    return Explanation(status, place: name, error.message, hint: error.hint)
  }
}
