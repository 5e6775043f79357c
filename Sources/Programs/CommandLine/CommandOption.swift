/// What can follow an option or stand for an operand, for completion in a shell.
package enum Completion: Hashable, Sendable {
  case none
  case files
  case directories
  case words([String])
  /// Names that only the user's files know.
  case names(CompletionQuestion)
  /// Such names, or where none begins so, files.
  case namesOrFiles(CompletionQuestion)
}

/// What `magnum complete` is asked for when a key is pressed in a shell.
package enum CompletionQuestion: String, CaseIterable, Sendable {
  /// Names of accounts.
  case accounts
  /// Names of accounts, and of their mailboxes behind a slash.
  case mailboxes
  /// Entries of the queue.
  case entries
  /// Entries that were discarded and can be put back.
  case discarded
  /// Tags of the mail that is indexed.
  case tags
  /// Terms of queries: tags and folders, each behind its field.
  case terms
  /// Folders, as messages are moved to them.
  case folders
  /// Tags to be set and taken away, and terms of queries.
  case edits
  /// Drafts that were left, and terms of queries.
  case drafts
  /// Names of agents.
  case agents
  /// Names of rules.
  case rules
  /// Names of templates.
  case templates
}

/// The value of an option: how help names it, and what a shell completes.
package struct OptionValue: Hashable, Sendable {
  /// The name, as in `--limit <number>`.
  package let name: String
  /// What a shell completes.
  package let completion: Completion
}

/// What help, completions and the manual say about an option; the parser looks options up by the same names.
package struct OptionDescription: Hashable, Sendable {
  /// The names as they are typed: `-n`, `--dry-run`.
  package let names: [String]
  /// The value; nil for a flag.
  package let value: OptionValue?
  /// What it does, in a sentence.
  package let help: String

  /// `-n, --dry-run` or `--limit <number>`, as help shows it.
  var label: String { names.joined(separator: ", ") + (value.map { " <\($0.name)>" } ?? "") }
}

/// The one definition of an option: its names, its value, its help, and what it sets.
package struct CommandOption<Options> {
  /// What is said about it.
  package let description: OptionDescription
  /// Sets what the option stands for; false where its value is wrong.
  let apply: (inout Options, String) -> Bool

  init(
    _ names: [String],
    value: OptionValue? = nil,
    _ help: String,
    apply: @escaping (inout Options, String) -> Bool
  ) {
    description = OptionDescription(names: names, value: value, help: help)
    self.apply = apply
  }
}

// Key paths are made where they are used. Making one takes as long as all else about an option, and of dozens of options only a
// few are given.
extension CommandOption {
  /// An option without a value, which sets something to true.
  package static func flag(
    _ names: String...,
    sets path: @autoclosure @escaping () -> WritableKeyPath<Options, Bool>,
    help: String
  ) -> Self {
    Self(names, help) { options, _ in
      options[keyPath: path()] = true
      return true
    }
  }

  /// An option without a value, which does more than set something to true.
  package static func flag(
    _ names: String...,
    help: String,
    does action: @escaping (inout Options) -> Void
  ) -> Self {
    Self(names, help) { options, _ in
      action(&options)
      return true
    }
  }

  /// An option with a text; the last one counts.
  package static func text(
    _ names: String...,
    value: String,
    completion: Completion = .none,
    sets path: @autoclosure @escaping () -> WritableKeyPath<Options, String?>,
    help: String
  ) -> Self {
    Self(names, value: OptionValue(name: value, completion: completion), help) { options, text in
      options[keyPath: path()] = text
      return true
    }
  }

  /// An option with a text that may be given several times.
  package static func texts(
    _ names: String...,
    value: String,
    completion: Completion = .none,
    addsTo path: @autoclosure @escaping () -> WritableKeyPath<Options, [String]>,
    help: String
  ) -> Self {
    Self(names, value: OptionValue(name: value, completion: completion), help) { options, text in
      options[keyPath: path()].append(text)
      return true
    }
  }

  /// An option with a number.
  package static func number<Number: LosslessStringConvertible>(
    _ names: String...,
    value: String = "number",
    sets path: @autoclosure @escaping () -> WritableKeyPath<Options, Number>,
    help: String
  ) -> Self {
    number(names, value, help) { $0[keyPath: path()] = $1 }
  }

  /// An option with a number, which has none where it is not given.
  package static func number<Number: LosslessStringConvertible>(
    _ names: String...,
    value: String = "number",
    sets path: @autoclosure @escaping () -> WritableKeyPath<Options, Number?>,
    help: String
  ) -> Self {
    number(names, value, help) { $0[keyPath: path()] = $1 }
  }

  /// An option with one of a few words.
  package static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ names: String...,
    value: String,
    sets path: @autoclosure @escaping () -> WritableKeyPath<Options, Choice>,
    help: String
  ) -> Self {
    choice(names, value, help) { $0[keyPath: path()] = $1 }
  }

  /// An option with one of a few words, which has none where it is not given.
  package static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ names: String...,
    value: String,
    sets path: @autoclosure @escaping () -> WritableKeyPath<Options, Choice?>,
    help: String
  ) -> Self {
    choice(names, value, help) { $0[keyPath: path()] = $1 }
  }

  private static func number<Number: LosslessStringConvertible>(
    _ names: [String],
    _ value: String,
    _ help: String,
    _ set: @escaping (inout Options, Number) -> Void
  ) -> Self {
    Self(names, value: OptionValue(name: value, completion: .none), help) { options, text in
      guard let number = Number(text) else { return false }
      set(&options, number)
      return true
    }
  }

  private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ names: [String],
    _ value: String,
    _ help: String,
    _ set: @escaping (inout Options, Choice) -> Void
  ) -> Self {
    let words = Choice.allCases.map(\.rawValue)
    return Self(
      names,
      value: OptionValue(name: value, completion: .words(words)),
      "\(help) (\(words.joined(separator: ", ")))"
    ) { options, text in
      guard let choice = Choice(rawValue: text) else { return false }
      set(&options, choice)
      return true
    }
  }
}

/// The values of the options that programs and commands have in common.
package struct GlobalOptions: Hashable, Sendable {
  /// The configuration file that is named; nil for the well-known places.
  package var config: String?
  /// The accounts that are named; all of them where there are none.
  package var accounts: [String] = []
  /// Whether results are printed as JSON.
  package var json = false
  /// Whether nothing but errors is printed.
  package var quiet = false
  /// Whether more than usual is printed.
  package var verbose = false

  /// The values where no option is given.
  package init() {}
}

/// An option that programs and commands have in common; it may stand before and after the name of a command.
///
/// Each command lists those that mean something to it. All others are refused.
package enum GlobalOption: CaseIterable, Hashable, Sendable {
  case config, account, json, quiet, verbose

  /// Its names and its help.
  package var description: OptionDescription { definition.description }

  /// The one definition of the option.
  var definition: CommandOption<GlobalOptions> {
    switch self {
    case .config:
      .text(
        "--config",
        value: "file",
        completion: .files,
        sets: \.config,
        help: "Read this configuration file."
      )
    case .account:
      .texts(
        "--account",
        value: "account",
        completion: .names(.accounts),
        addsTo: \.accounts,
        help: "Only this account; may be given several times."
      )
    case .json: .flag("--json", sets: \.json, help: "Print JSON.")
    case .quiet: .flag("-q", "--quiet", sets: \.quiet, help: "Print nothing but errors.")
    case .verbose: .flag("-v", "--verbose", sets: \.verbose, help: "Print each step.")
    }
  }
}
