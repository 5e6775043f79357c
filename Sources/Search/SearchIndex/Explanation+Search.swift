package import MailModel
package import Query
internal import Terminal

extension Explanation {
  /// Why an index cannot be used.
  ///
  /// - Parameters:
  ///   - error: what happened.
  ///   - place: the account or the program that it concerns; nil where the command is about nothing else.
  package init(_ error: IndexError, place: String? = nil) {
    let status: ExitStatus =
      switch error {
      case .locked, .modified, .interrupted: .tryAgain
      case .newer: .configuration
      case .pattern, .tooManyWords: .data
      case .system, .notThere, .older, .damaged, .full, .failed: .partial
      }
    self.init(status, place: place, error.message, hint: error.hint)
  }

  /// The mistake in a query, with marks below it.
  package init(_ error: QueryError, in query: String) {
    self.init(.data, place: "query", error.description)
    excerpt = MarkedExcerpt.lines(query, error.place)
  }
}
