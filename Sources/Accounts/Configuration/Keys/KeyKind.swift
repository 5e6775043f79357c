/// What a key takes for a value.
enum KeyKind: Hashable, Sendable {
  case string
  case strings
  case integer
  case boolean
  /// A number with a unit as a string, or 0.
  case size
  /// Strings by strings.
  case table
  /// A program with its arguments, or a string for the shell.
  case command

  /// The kind with its article, for "must be …".
  var name: String {
    switch self {
    case .string: "a string"
    case .strings: "an array of strings"
    case .integer: "an integer"
    case .boolean: "true or false"
    case .size: "a string or 0"
    case .table: "a table of strings"
    case .command: "a string or an array of strings"
    }
  }
}
