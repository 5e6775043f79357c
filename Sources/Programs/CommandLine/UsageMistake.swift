/// A command line that is wrong.
package struct UsageMistake: Error, Hashable, Sendable {
  /// What is wrong.
  package let what: String
  /// What to do about it; nil: help is pointed to.
  package let hint: String?

  package init(_ what: String, hint: String? = nil) {
    self.what = what
    self.hint = hint
  }
}

/// A mistake with the words by which the command is called that it was made with: `magnum queue list`.
package struct LocatedMistake: Error, Hashable, Sendable {
  /// The program and its subcommands.
  package let name: String
  /// What is wrong.
  package let mistake: UsageMistake
}
