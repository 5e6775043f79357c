/// What a test of a server's labels found, with messages of its own.
package struct LabelTrialReport: Sendable {
  /// What the server did, in words, by what was tried.
  package var facts: [(name: String, text: String)] = []
  /// What it did not do that pushing needs; nil where it passed.
  package var failure: String?
  /// What could not be removed again.
  package var left: [String] = []

  package init() {}
}
