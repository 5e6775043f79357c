package import MailModel
internal import Octets

/// A program or a subcommand of one: its name, options and operands, and what it does.
package struct CommandDefinition {
  /// What does the work, with the values that were read, and gives the status to exit with.
  typealias Action = (CommandContext) -> ExitStatus

  /// The word by which it is called.
  package let name: String
  let abstract: String
  let discussion: String
  /// The options that programs have in common and that mean something here: those of any of its subcommands.
  var globals: [GlobalOption] {
    guard hasSubcommands else { return ownGlobals }
    let below = subcommands
    return GlobalOption.allCases.filter { option in below.contains { $0.globals.contains(option) } }
  }
  private let ownGlobals: [GlobalOption]
  /// The options of the command itself; made where they are asked for, since a program has dozens of commands and runs one.
  var own: [OptionDescription] { describeOwn() }
  private let describeOwn: () -> [OptionDescription]
  let operands: Operands
  /// The commands below it, made where they are asked for, as options are; none where it does something itself.
  package var subcommands: [CommandDefinition] { makeSubcommands() }
  private let makeSubcommands: () -> [CommandDefinition]
  let hasSubcommands: Bool
  /// The subcommand that is meant where none is named.
  let defaultSubcommand: String?
  /// What people of other programs call subcommands, and the words that these have here.
  let otherNames: [String: String]
  /// Subcommands as help lists them, with what those of a group are for; none where they are one list.
  let groups: [(title: String, names: [String])]
  /// Whether help and completions leave it out.
  package private(set) var isHidden = false
  /// The program of the suite that it stands for, which gets the rest of the command line; nil: it does the work itself.
  package let program: SuiteProgram?
  /// Makes values of what was read, and checks them.
  let prepare: (ParsedLine) throws(UsageMistake) -> Action

  /// A command that does something.
  ///
  /// - Parameters:
  ///   - name: the word by which it is called.
  ///   - abstract: what it does, in a sentence.
  ///   - discussion: what else help says.
  ///   - initial: the values where no option is given.
  ///   - globals: the common options that mean something to it; all others are refused.
  ///   - options: its own options, each defined here and nowhere else.
  ///   - operands: what it takes besides options.
  ///   - check: throws where values do not go together.
  ///   - changes: whether it changes mail, tags, the queue, a server or a login, by its options and operands; all do that do
  ///     not say otherwise.
  ///   - run: does the work.
  package init<Options>(
    _ name: String,
    abstract: String,
    discussion: String = "",
    initial: @autoclosure @escaping () -> Options,
    globals: [GlobalOption],
    options: @autoclosure @escaping () -> [CommandOption<Options>],
    operands: Operands = .none,
    check: @escaping (Options, ParsedLine) throws(UsageMistake) -> Void = { _, _ in },
    changes: @escaping (Options, _ operands: [String]) -> Bool = { _, _ in true },
    run: @escaping (Options, CommandContext) -> ExitStatus
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    ownGlobals = globals
    self.operands = operands
    describeOwn = { options().map(\.description) }
    makeSubcommands = { [] }
    hasSubcommands = false
    otherNames = [:]
    groups = []
    defaultSubcommand = nil
    program = nil
    prepare = { line throws(UsageMistake) in
      var values = initial()
      let options = options()
      for found in line.found {
        guard options[found.index].apply(&values, found.value) else {
          throw found.badValue(options[found.index].description)
        }
      }
      try check(values, line)
      return { context in
        if ReadOnlyMode.isOn, changes(values, context.operands) {
          return context.report(ReadOnlyMode.refusal)
        }
        return run(values, context)
      }
    }
  }

  package init(
    _ name: String,
    abstract: String,
    discussion: String = "",
    subcommands: @autoclosure @escaping () -> [CommandDefinition],
    default defaultSubcommand: String? = nil,
    otherNames: [String: String] = [:],
    groups: [(title: String, names: [String])] = []
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    makeSubcommands = subcommands
    hasSubcommands = true
    self.otherNames = otherNames
    self.groups = groups
    self.defaultSubcommand = defaultSubcommand
    ownGlobals = []
    describeOwn = { [] }
    operands = .none
    program = nil
    prepare = { _ in { _ in .usage } }
  }

  /// A command that stands for another program of the suite, which reads its own options.
  package init(_ name: String, abstract: String, program: SuiteProgram) {
    self.name = name
    self.abstract = abstract
    self.program = program
    discussion = ""
    makeSubcommands = { [] }
    hasSubcommands = false
    otherNames = [:]
    groups = []
    defaultSubcommand = nil
    ownGlobals = []
    describeOwn = { [] }
    operands = .none
    prepare = { _ in { _ in .usage } }
  }

  /// The same command, left out of help and completions.
  package var hidden: CommandDefinition {
    var command = self
    command.isHidden = true
    return command
  }

  /// The subcommands that help and completions list.
  var listed: [CommandDefinition] { subcommands.filter { !$0.isHidden } }

  /// The subcommand that was probably meant by a word that names none; nil where none comes near it.
  func meant(by word: String) -> String? {
    otherNames[word.lowercased()]
      ?? Suggestion.nearest(to: word, among: listed.map(\.name).filter { $0 != word })
  }

  /// The subcommand of that name.
  func subcommand(_ name: String) -> CommandDefinition? { subcommands.first { $0.name == name } }

  /// Every option that may be given, in the order of help.
  var options: [OptionDescription] { globals.map(\.description) + own + Self.builtIn }

  /// The options that every command has.
  static let builtIn = [
    OptionDescription(names: ["--version"], value: nil, help: "Print the version."),
    OptionDescription(names: ["-h", "--help"], value: nil, help: "Print this help."),
  ]
}

/// The options of a command that has none of its own.
package struct NoOptions {
  /// There is nothing to set.
  package init() {}
}
