/// A text that is not TOML.
struct SyntaxError: Error {
  /// The line, from 1; `nil` when it is not known.
  let line: Int?

  /// `.notText`, `.containsNUL` or `.syntax`.
  let problem: ConfigurationProblem
}
