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
