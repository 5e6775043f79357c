internal import Configuration
internal import Platform
internal import Query
internal import SearchIndex
internal import Terminal

/// Why nothing can be shown, in words.
struct ShowFailure: Error {
  let status: ExitStatus
  let diagnostic: Diagnostic

  private init(_ place: String?, _ what: String, _ hint: String?, _ status: ExitStatus) {
    diagnostic = Diagnostic(program: "magnum", place: place, what: what, hint: hint)
    self.status = status
  }

  init(_ error: ConfigurationError) {
    self.init(error.place, error.message, error.remedy, .configuration)
  }

  init(_ error: SystemError) {
    self.init(nil, error.description, nil, .partial)
  }

  init(_ error: QueryError, in query: String) {
    let part = String(decoding: Array(query.utf8)[error.place], as: UTF8.self)
    self.init("query", "\(error.description)\(part.isEmpty ? "" : ": \(part)")", nil, .usage)
  }

  init(_ error: IndexError) {
    let failure = IndexFailure(error, "index")
    diagnostic = failure.diagnostic
    status = failure.status
  }

  init(nothing query: String) {
    self.init(query, "no such file, and no message found", nil, .partial)
  }

  init(ambiguous count: Int) {
    self.init(
      nil,
      "\(count) messages found; a part can be shown of one",
      "name it by its id: or file",
      .usage
    )
  }

  init(part number: String) {
    self.init(nil, "no part \(number)", "without --part the parts are listed", .partial)
  }
}
