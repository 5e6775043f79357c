/// What was read from a command line, before it is given to the command.
package struct ParsedLine {
  /// An option of the command that was given.
  struct Found {
    /// Its number among the options of the command.
    let index: Int
    /// The name by which it was given.
    let name: String
    let value: String

    func badValue(_ option: OptionDescription) -> UsageMistake {
      var hint: String?
      if case .words(let words)? = option.value?.completion {
        hint = "it is one of: \(words.joined(separator: ", "))"
      }
      return UsageMistake("\(name) does not take \"\(value)\"", hint: hint)
    }
  }

  /// The program and the subcommands that were named, or meant.
  var path: [CommandDefinition]
  /// The options of the command itself.
  var found: [Found] = []
  /// The values of the common options.
  package var globals = GlobalOptions()
  /// The common options that were given, by the names used.
  var givenGlobals: [(option: GlobalOption, name: String)] = []
  /// What is not an option.
  package var operands: [String] = []
  /// The command that was probably meant by the first operand, of a command that was not named; nil for none.
  var meant: String?
  /// How many of them came before `--`; nil where there was none.
  package var operandsBeforeDashes: Int?

  /// The command that is run.
  var command: CommandDefinition { path[path.count - 1] }

  /// The words by which it is called: `magnum queue list`.
  package var name: String { path.map(\.name).joined(separator: " ") }

  /// How messages begin: the program and the subcommand, without the subcommand of that.
  var messageName: String { path.prefix(2).map(\.name).joined(separator: " ") }

  /// Refuses what the command does not know.
  func check() throws(UsageMistake) {
    for given in givenGlobals where !command.globals.contains(given.option) {
      throw UsageMistake("\(given.name) has no meaning here")
    }
    if globals.quiet, globals.verbose {
      throw UsageMistake("--quiet and --verbose exclude each other")
    }
    do throws(UsageMistake) {
      try command.operands.check(operands)
    } catch {
      guard error.hint == nil, let meant else { throw error }
      throw UsageMistake(error.what, hint: "did you mean \(meant)?")
    }
  }
}

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
