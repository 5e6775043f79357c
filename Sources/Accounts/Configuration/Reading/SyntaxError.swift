/// A text that is not TOML.
struct SyntaxError: Error {
  /// The line, from 1; `nil` when it is not known.
  let line: Int?

  /// `.notText`, `.containsNUL` or `.syntax`.
  let problem: ConfigurationProblem

  /// What is said of a text that does not end on its line.
  static let openQuote = "the closing quotation mark is missing"

  /// What to do about the slips that are made most.
  var remedy: String? {
    switch problem {
    case .syntax(Self.openQuote): "close the text on the line that it begins on: key = \"value\""
    case .syntax(let words) where words.contains("could not determine value type"):
      "text stands in quotes: key = \"value\""
    case .containsNUL, .notText: "save the file as UTF-8 text"
    default: nil
    }
  }
}
