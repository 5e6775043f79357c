internal import Octets

/// Scripts with which shells complete a command line, made of the definitions that the parser uses.
///
/// Names that only the user's files know are asked of `magnum complete` when the key is pressed.
package enum CompletionScript {
  static let shells = ["bash", "zsh", "fish"]

  /// The script for a shell; nil for a shell that is not known.
  package static func text(_ program: CommandDefinition, for shell: String) -> String? {
    let places = CompletionPlace.all(program)
    switch shell {
    case "bash": return BashScript(program: program.name, places: places).text
    case "zsh": return ZshScript(program: program.name, places: places).text
    case "fish": return FishScript(program: program.name, places: places).text
    default: return nil
    }
  }

  /// A name for a function of a shell.
  static func function(_ program: String) -> String {
    "_" + program.split(separator: "-").joined(separator: "_")
  }

  /// The command that lists names, a line each.
  static func command(_ question: CompletionQuestion) -> String {
    "magnum complete \(question.rawValue) 2>/dev/null"
  }
}

/// A command by its words, such as `magnum queue list`, with what may follow them.
struct CompletionPlace {
  let name: String
  let command: CommandDefinition

  /// The command and all below it.
  static func all(_ command: CommandDefinition, below parent: String = "") -> [CompletionPlace] {
    let name = parent + command.name
    return [CompletionPlace(name: name, command: command)]
      + command.listed.flatMap { all($0, below: name + " ") }
  }

  /// Each name of an option that takes a value, with what completes the value.
  var values: [(name: String, completion: Completion)] {
    command.options.flatMap { option in
      option.names.compactMap { name in option.value.map { (name, $0.completion) } }
    }
  }

  /// The names of options, each with its help.
  var options: [(name: String, help: String)] {
    command.options.flatMap { option in option.names.map { ($0, option.help) } }
  }

  /// What completes operands; where a subcommand is meant that is not named, its operands.
  var operands: Completion { meant.operands.completion }

  /// What completes the first of them, where that is something else.
  var firstOperand: Completion? { meant.operands.first }

  private var meant: CommandDefinition {
    command.defaultSubcommand.flatMap { command.subcommand($0) } ?? command
  }
}

extension [CompletionPlace] {
  /// The words that lead from one place to another, for a pattern of `case`.
  func leading(separator: String) -> String {
    dropFirst().map { ShellWord.inQuotes($0.name) }.joined(separator: separator)
  }

  /// The options behind which the next word is a value, for a pattern of `case`.
  func taking(separator: String) -> String {
    flatMap { place in place.values.map { ShellWord.inQuotes("\(place.name) \($0.name)") } }
      .joined(separator: separator)
  }
}
