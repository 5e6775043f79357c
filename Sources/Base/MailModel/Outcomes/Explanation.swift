/// An error for people and for scripts: where, what, what to do about it, and the exit status that says so.
package struct Explanation: Error, Hashable, Sendable {
  /// File and line, account, mailbox or entry; nil where it concerns all.
  package var place: String?
  /// What is wrong, in lower case and without a full stop.
  package var what: String
  /// What to do about it; nil where nothing can be advised.
  package var hint: String?
  package var status: ExitStatus
  /// Lines that show where it is, as below a query.
  package var excerpt: [String] = []

  package init(
    _ status: ExitStatus,
    place: String? = nil,
    _ what: String,
    hint: String? = nil
  ) {
    self.status = status
    self.place = place
    self.what = what
    self.hint = hint
  }
}

/// An error that can be explained: the one way from an error to what a program prints about it.
package protocol Explainable: Error {
  /// What is printed, and the status to exit with.
  var explanation: Explanation { get }
}
